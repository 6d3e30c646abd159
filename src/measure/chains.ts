/** Slots of a ring buffer, and chains of its index. A power of two. */
export const CAPACITY = 262_144;

/** No slot. */
export const NONE = -1;

/**
 * Hash chains as doubly linked lists in typed arrays, in insertion order. Fields that are read together are adjacent,
 * because most accesses miss the processor's cache. A slot is stored as its number plus one, so new arrays have empty chains:
 * writing 2 MiB at the start of each run takes longer than many runs.
 */
export class Chains {
  /** First and last slot of each chain. */
  readonly #ends = new Int32Array(2 * CAPACITY);
  /** Predecessor and successor of each slot. */
  readonly #links = new Int32Array(2 * CAPACITY);

  /** The oldest slot of a chain, or `NONE`. */
  first(chain: number): number {
    return (this.#ends[2 * chain] ?? 0) - 1;
  }

  /** The next slot of the same chain, or `NONE`. */
  after(slot: number): number {
    return (this.#links[2 * slot + 1] ?? 0) - 1;
  }

  append(slot: number, chain: number): void {
    const stored = slot + 1;
    const last = this.#ends[2 * chain + 1] ?? 0;
    this.#links[2 * slot] = last;
    this.#links[2 * slot + 1] = 0;
    this.#ends[2 * chain + 1] = stored;
    if (last === 0) this.#ends[2 * chain] = stored;
    else this.#links[2 * last - 1] = stored;
  }

  remove(slot: number, chain: number): void {
    const before = this.#links[2 * slot] ?? 0;
    const after = this.#links[2 * slot + 1] ?? 0;
    if (before === 0) this.#ends[2 * chain] = after;
    else this.#links[2 * before - 1] = after;
    if (after === 0) this.#ends[2 * chain + 1] = before;
    else this.#links[2 * after - 2] = before;
  }
}

/** Multiplicative hash, which scatters consecutive channels and numbers. */
export function hashOf(channel: number, number: number): number {
  return (Math.imul(channel, 0x9e3779b1) + number) & (CAPACITY - 1);
}

/** A whole number modulo the capacity: the slot of a text, the chain of a contact. */
export function wrapped(whole: number): number {
  return whole & (CAPACITY - 1);
}
