import type { Streams } from "../sim/index.js";

/** Ids end here: every whole number that a float holds exactly. */
const HIGH_MAX = 2 ** 21;

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * UUIDs that are another spelling of ids: the seed turns each id into one, and back. So nothing is stored for them, and
 * they are found like ids.
 *
 * A UUID of version 4 has 122 bits of its own. 58 are a keyed hash of the id, the other 64 are the id hidden under a
 * keyed hash of those 58. Whoever knows the keys unhides the id and sees by the hash whether the UUID is one of ours.
 */
export class IdUuids {
  readonly #keys: readonly [number, number, number, number];

  /** @param kind - of what these are the ids; kinds share no UUIDs */
  constructor(streams: Streams, kind: string) {
    const stream = streams.get(`uuids/${kind}`);
    const key = (): number => stream.int(0, 0xffff_ffff);
    this.#keys = [key(), key(), key(), key()];
  }

  /** @param id - a whole number, 0 to 2^53 - 1 */
  of(id: number): string {
    const high = Math.floor(id / 0x1_0000_0000);
    const low = id >>> 0;
    const [mark1, mark2] = this.#checkBits(high, low);
    const [hidden1, hidden2] = this.#maskId(high, low, mark1, mark2);
    const third = 0x4000 | ((hidden2 >>> 4) & 0xfff);
    const fourth = 0x8000 | ((hidden2 & 0xf) << 10) | (mark2 >>> 16);
    return `${hex(hidden1, 8)}-${hex(hidden2 >>> 16, 4)}-${hex(third, 4)}-${hex(fourth, 4)}-${hex(mark2 & 0xffff, 4)}${hex(mark1, 8)}`;
  }

  /** The id whose UUID this is, in any case; undefined when it is no UUID of this seed and kind. */
  idOf(text: string): number | undefined {
    const uuid = text.toLowerCase();
    if (!form.test(uuid)) return undefined;
    const fourth = parseInt(uuid.slice(19, 23), 16);
    const mark1 = parseInt(uuid.slice(28), 16);
    const mark2 = ((fourth & 0x3ff) << 16) | parseInt(uuid.slice(24, 28), 16);
    const hidden1 = parseInt(uuid.slice(0, 8), 16);
    const hidden2 = (parseInt(uuid.slice(9, 13) + uuid.slice(15, 18), 16) << 4) | ((fourth >>> 10) & 0xf);
    const [high, low] = this.#maskId(hidden1, hidden2, mark1, mark2);
    const [expected1, expected2] = this.#checkBits(high, low);
    return high < HIGH_MAX && expected1 === mark1 && expected2 === mark2 ? high * 0x1_0000_0000 + low : undefined;
  }

  /** 32 and 26 bits that an id determines. */
  #checkBits(high: number, low: number): [number, number] {
    return [hash(this.#keys[0], high, low), hash(this.#keys[1], high, low) >>> 6];
  }

  /** Hides an id, and finds one that is hidden. */
  #maskId(high: number, low: number, mark1: number, mark2: number): [number, number] {
    return [(high ^ hash(this.#keys[2], mark1, mark2)) >>> 0, (low ^ hash(this.#keys[3], mark1, mark2)) >>> 0];
  }
}

/** 32 bits of a key and two words; each bit of them moves about half of its bits. */
function hash(key: number, first: number, second: number): number {
  return mixBits(mixBits(key ^ first) ^ second) >>> 0;
}

/** The finishing step of MurmurHash3 (Austin Appleby, public domain), which turns each word into another one. */
function mixBits(word: number): number {
  let stirring = Math.imul(word ^ (word >>> 16), 0x85eb_ca6b);
  stirring = Math.imul(stirring ^ (stirring >>> 13), 0xc2b2_ae35);
  return stirring ^ (stirring >>> 16);
}

function hex(word: number, digits: number): string {
  return word.toString(16).padStart(digits, "0");
}
