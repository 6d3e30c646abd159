import type { Place, WrittenMap } from "./written.js";

/** The keys of one map in the order of the file, for finding the one before a place by binary search. */
export class KeyOrder {
  readonly #keys: readonly { readonly key: string; readonly start: number }[];
  /** For each key the nearest one above it, or itself, that was left without a value. */
  readonly #empty: readonly (string | undefined)[];

  constructor(map: WrittenMap, place: Place) {
    this.#keys = Object.keys(map)
      .map((key) => ({ key, start: place.inner.get(key)?.key?.start ?? 0 }))
      .toSorted((a, b) => a.start - b.start);
    let last: string | undefined;
    this.#empty = this.#keys.map(({ key }) => (map[key] === null ? (last = key) : last));
  }

  /** The key that begins nearest before an offset; undefined: none does. */
  before(offset: number): string | undefined {
    return this.#keys[this.#countBefore(offset) - 1]?.key;
  }

  /** The same of the keys that were left without a value. */
  emptyBefore(offset: number): string | undefined {
    return this.#empty[this.#countBefore(offset) - 1];
  }

  #countBefore(offset: number): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#keys[middle]?.start ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
