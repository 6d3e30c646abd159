/** Maximum number of cached results; a full cache is cleared. */
const SIZE_MAX = 10_000;

/** Maximum length of a cached key: dates and places are shorter. */
const LENGTH_MAX = 64;

/** A bounded cache of a pure function of texts: a page of contacts repeats few dates and places thousands of times. */
export class Memo<T> {
  readonly #results = new Map<string, T>();

  /** @param key - the text and everything else on which the result depends */
  getOrCompute(key: string, compute: () => T): T {
    const kept = this.#results.get(key);
    if (kept !== undefined || this.#results.has(key)) return kept as T;
    const result = compute();
    if (key.length > LENGTH_MAX) return result;
    if (this.#results.size >= SIZE_MAX) this.#results.clear();
    this.#results.set(key, result);
    return result;
  }
}
