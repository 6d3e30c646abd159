import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { xoroshiro128plusFromState } from "pure-rand/generator/xoroshiro128plus";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";

/**
 * A named stream of random numbers. A stream belongs to one phone or one person, so what one of them draws
 * never moves what another draws.
 */
export class Stream {
  readonly #generator: RandomGenerator;

  /** @param state - 128 bits that are not all zero */
  constructor(state: readonly [number, number, number, number]) {
    this.#generator = xoroshiro128plusFromState(state);
  }

  /** Uniform in [0, 1), 32 bits fine. */
  next(): number {
    return (this.#generator.next() >>> 0) / 0x1_0000_0000;
  }

  /** Uniform in [0, 1), 53 bits fine: for long spans, where 32 bits would leave gaps. */
  fine(): number {
    const high = this.#generator.next() >>> 5;
    const low = this.#generator.next() >>> 6;
    return (high * 0x400_0000 + low) / 0x20_0000_0000_0000;
  }

  /** A whole number, both ends included. */
  int(min: number, max: number): number {
    const span = max - min + 1;
    const unit = span <= 0x1_0000 ? this.next() : this.fine();
    return min + Math.floor(unit * span);
  }

  /** True with the given probability, a share of 0..1. Draws even when the answer is certain. */
  chance(share: number): boolean {
    return this.next() < share;
  }

  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    return list[this.int(0, list.length - 1)] as T;
  }

  /** Exponential with the given mean. */
  exponential(mean: number): number {
    return -Math.log(1 - this.fine()) * mean;
  }

  /** Normal (Box and Muller's transform; the second value is not kept, so a draw always costs the same). */
  normal(mean: number, deviation: number): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.fine()));
    return mean + deviation * radius * Math.cos(2 * Math.PI * this.fine());
  }

  /** Lognormal, named by the mean and deviation of the value itself (not of its logarithm). */
  lognormal(mean: number, deviation: number): number {
    const variance = Math.log(1 + (deviation / mean) ** 2);
    return Math.exp(this.normal(Math.log(mean) - variance / 2, Math.sqrt(variance)));
  }
}

/** The streams of one run: `get` gives the stream that the seed and a name determine, at its beginning. */
export class Streams {
  readonly seed: number;

  constructor(seed: number) {
    this.seed = seed;
  }

  /** A new stream for a name such as `handset/clinic/3`. Asking twice gives two streams that draw the same. */
  get(name: string): Stream {
    const view = digestOf(this.seed, name);
    return new Stream([view.getInt32(0), view.getInt32(4), view.getInt32(8), view.getInt32(12) | 1]);
  }

  /** A UUID (version 4 in form) that the seed and a name determine. */
  uuid(name: string): string {
    return uuidFrom(digestOf(this.seed, name));
  }
}

function digestOf(seed: number, name: string): DataView {
  const digest = sha256(utf8ToBytes(`${seed}\u0000${name}`));
  return new DataView(digest.buffer, digest.byteOffset, digest.byteLength);
}

function uuidFrom(view: DataView): string {
  view.setUint8(6, (view.getUint8(6) & 0x0f) | 0x40);
  view.setUint8(8, (view.getUint8(8) & 0x3f) | 0x80);
  const codes: number[] = [];
  for (let index = 0; index < 16; index++) {
    const byte = view.getUint8(index);
    codes.push(HEX.charCodeAt(byte >> 4), HEX.charCodeAt(byte & 0xf));
    if (index === 3 || index === 5 || index === 7 || index === 9) codes.push(HYPHEN);
  }
  // In one piece: put together with `+`, it would be kept as all its pieces, which take six times the memory.
  return String.fromCharCode(...codes);
}

const HEX = "0123456789abcdef";
const HYPHEN = 0x2d;
