import { createHmac } from "node:crypto";

const ROUNDS = 4;

/**
 * A keyed permutation of fixed-length sequences, each place of which has a number of possible values: format-preserving
 * encryption by a Feistel network with modular addition, as FF1 (NIST SP 800-38G) has it. Two different sequences have
 * different images.
 */
export class Permutation {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  /**
   * @param values - each 0 <= value < its radix
   * @param tweak - sequences with another tweak are permuted in another way
   */
  permute(values: readonly number[], radices: readonly number[], tweak: string): number[] {
    const out = [...values];
    const half = out.length >> 1;
    if (half === 0) {
      this.#add(out, radices, { from: 0, until: out.length, seed: `${tweak}|one` });
      return out;
    }
    for (let round = 0; round < ROUNDS; round++) {
      const isLeft = round % 2 === 1;
      const [from, until] = isLeft ? [0, half] : [half, out.length];
      const other = isLeft ? out.slice(half) : out.slice(0, half);
      this.#add(out, radices, { from, until, seed: `${tweak}|${round}|${other.join()}` });
    }
    return out;
  }

  /** Pseudorandom bytes of a text. */
  bytes(text: string): Buffer {
    return createHmac("sha256", this.#key).update(text).digest();
  }

  #add(
    values: number[],
    radices: readonly number[],
    { from, until, seed }: { readonly from: number; readonly until: number; readonly seed: string },
  ): void {
    let block = this.bytes(seed);
    for (let at = from, used = 0; at < until; at++, used += 4) {
      if (used + 4 > block.length) {
        block = this.bytes(`${seed}|${at}`);
        used = 0;
      }
      values[at] = ((values[at] ?? 0) + block.readUInt32LE(used)) % (radices[at] ?? 1);
    }
  }
}
