import type { Streams } from "../sim/index.js";

/** Bound of an id's upper word: ids go up to 2^53 - 1. */
const HIGH_MAX = 2 ** 21;

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * A bijection between ids and UUIDs, keyed by the seed. So no UUID is stored, and a row is found by the id in its UUID.
 *
 * A version 4 UUID has 122 free bits. 58 are a keyed hash of the id (the check bits). The other 64 are the id, masked
 * with a keyed hash of the check bits. To decode, unmask the id and compare its hash with the check bits.
 */
export class IdUuids {
  readonly #keys: readonly [number, number, number, number];

  /** @param kind - the kind of row; different kinds have different UUIDs */
  constructor(streams: Streams, kind: string) {
    const stream = streams.get(`uuids/${kind}`);
    const key = (): number => stream.int(0, 0xffff_ffff);
    this.#keys = [key(), key(), key(), key()];
  }

  /** @param id - a whole number, 0 to 2^53 - 1 */
  of(id: number): string {
    const high = Math.floor(id / 0x1_0000_0000);
    const low = id >>> 0;
    const [check1, check2] = this.#checkBits(high, low);
    const [masked1, masked2] = this.#maskId(high, low, check1, check2);
    const third = 0x4000 | ((masked2 >>> 4) & 0xfff);
    const fourth = 0x8000 | ((masked2 & 0xf) << 10) | (check2 >>> 16);
    return `${hex(masked1, 8)}-${hex(masked2 >>> 16, 4)}-${hex(third, 4)}-${hex(fourth, 4)}-${hex(check2 & 0xffff, 4)}${hex(check1, 8)}`;
  }

  /** The id of a UUID in any letter case; undefined when the UUID is not of this seed and kind. */
  idOf(text: string): number | undefined {
    const uuid = text.toLowerCase();
    if (!form.test(uuid)) return undefined;
    const fourth = parseInt(uuid.slice(19, 23), 16);
    const check1 = parseInt(uuid.slice(28), 16);
    const check2 = ((fourth & 0x3ff) << 16) | parseInt(uuid.slice(24, 28), 16);
    const masked1 = parseInt(uuid.slice(0, 8), 16);
    const masked2 = (parseInt(uuid.slice(9, 13) + uuid.slice(15, 18), 16) << 4) | ((fourth >>> 10) & 0xf);
    const [high, low] = this.#maskId(masked1, masked2, check1, check2);
    const [expected1, expected2] = this.#checkBits(high, low);
    return high < HIGH_MAX && expected1 === check1 && expected2 === check2 ? high * 0x1_0000_0000 + low : undefined;
  }

  /** The check bits of an id: 32 and 26. */
  #checkBits(high: number, low: number): [number, number] {
    return [hash(this.#keys[0], high, low), hash(this.#keys[1], high, low) >>> 6];
  }

  /** Masks an id, or unmasks it: XOR is its own inverse. */
  #maskId(high: number, low: number, check1: number, check2: number): [number, number] {
    return [(high ^ hash(this.#keys[2], check1, check2)) >>> 0, (low ^ hash(this.#keys[3], check1, check2)) >>> 0];
  }
}

/** A 32-bit hash of a key and two words, with full avalanche. */
function hash(key: number, first: number, second: number): number {
  return mixBits(mixBits(key ^ first) ^ second) >>> 0;
}

/** The finalizer of MurmurHash3 (Austin Appleby, public domain), a bijection on 32-bit words. */
function mixBits(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85eb_ca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
  return mixed ^ (mixed >>> 16);
}

function hex(word: number, digits: number): string {
  return word.toString(16).padStart(digits, "0");
}
