/** Results that are kept; when there are as many, all are forgotten. */
const SIZE_MAX = 10_000;

/** Characters of a text whose result is kept: what people write as dates and places is shorter. */
const LENGTH_MAX = 64;

/**
 * What a pure function has made of texts. A page of contacts asks for thousands of dates and places, and few of them
 * are different.
 */
export class Memo<T> {
  readonly #results = new Map<string, T>();

  /** @param key - the text, and all else that the result depends on */
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
