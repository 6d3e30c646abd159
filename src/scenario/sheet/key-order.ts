import type { Location, RawMap } from "./raw-value.js";

/** The keys of one map in the order of the file, for finding the key before an offset by binary search. */
export class KeyOrder {
  readonly #keys: readonly { readonly key: string; readonly start: number }[];
  /** For each key: the last key without a value up to and including this one. */
  readonly #empty: readonly (string | undefined)[];

  constructor(map: RawMap, location: Location) {
    this.#keys = Object.keys(map)
      .map((key) => ({ key, start: location.inner.get(key)?.key?.start ?? 0 }))
      .toSorted((a, b) => a.start - b.start);
    let last: string | undefined;
    this.#empty = this.#keys.map(({ key }) => (map[key] === null ? (last = key) : last));
  }

  /** The last key that begins before an offset. */
  before(offset: number): string | undefined {
    return this.#keys[this.#countBefore(offset) - 1]?.key;
  }

  /** The last key without a value that begins before an offset. */
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
