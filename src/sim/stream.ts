import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { xoroshiro128plusFromState } from "pure-rand/generator/xoroshiro128plus";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";

/**
 * A named stream of random numbers. Each phone and each person has its own stream, so the draws of one never change
 * the draws of another.
 */
export class Stream {
  readonly #generator: RandomGenerator;

  /** @param state - 128 bits that are not all zero */
  constructor(state: readonly [number, number, number, number]) {
    this.#generator = xoroshiro128plusFromState(state);
  }

  /** Uniform in [0, 1) with 32 random bits. */
  next(): number {
    return (this.#generator.next() >>> 0) / 0x1_0000_0000;
  }

  /** Uniform in [0, 1) with 53 random bits, for ranges of more than 2^16 values. */
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

  /** A UUID in the form of version 4, of 128 drawn bits. */
  uuid(): string {
    const view = new DataView(new ArrayBuffer(16));
    for (let offset = 0; offset < 16; offset += 4) view.setInt32(offset, this.#generator.next());
    return uuidFrom(view);
  }

  /** True with the given probability, 0..1. Takes one random number even when the result is certain. */
  chance(share: number): boolean {
    return this.next() < share;
  }

  /** Uniform choice from a non-empty list. */
  pick<T>(list: readonly T[]): T {
    return list[this.int(0, list.length - 1)] as T;
  }

  /** Exponential with the given mean. */
  exponential(mean: number): number {
    return -Math.log(1 - this.fine()) * mean;
  }

  /**
   * Normal, by the Box-Muller transform. It discards the second value, so each draw takes the same number of random
   * bits.
   */
  normal(mean: number, deviation: number): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.fine()));
    return mean + deviation * radius * Math.cos(2 * Math.PI * this.fine());
  }

  /** Lognormal with the given mean and deviation of the value itself (not of its logarithm). */
  lognormal(mean: number, deviation: number): number {
    const variance = Math.log(1 + (deviation / mean) ** 2);
    return Math.exp(this.normal(Math.log(mean) - variance / 2, Math.sqrt(variance)));
  }
}

/** The streams of one run. Seed and name determine a stream. */
export class Streams {
  readonly seed: number;

  constructor(seed: number) {
    this.seed = seed;
  }

  /** A new stream for a name such as `handset/clinic/3`. Two streams of one name draw the same numbers. */
  get(name: string): Stream {
    const view = digestOf(this.seed, name);
    return new Stream([view.getInt32(0), view.getInt32(4), view.getInt32(8), view.getInt32(12) | 1]);
  }

  /** A UUID in the form of version 4, determined by seed and name. */
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
  // One flat string: concatenation with `+` would leave a rope (cons string), which takes six times the memory.
  return String.fromCharCode(...codes);
}

const HEX = "0123456789abcdef";
const HYPHEN = 0x2d;
