/**
 * Values with temporary overrides. The value in force is that of the latest override that has not ended; a lasting
 * change replaces all overrides before it. So overlapping outages end when the last of them ends, in any order.
 */
export class Layers<V extends object> {
  readonly #lasting: V;
  readonly #temporary: { readonly key: keyof V; readonly value: V[keyof V]; readonly endsAtMs: number | undefined }[] =
    [];

  /** @param initial - not copied: the caller must not use it afterwards */
  constructor(initial: V) {
    this.#lasting = initial;
  }

  get<K extends keyof V>(key: K): V[K] {
    for (let index = this.#temporary.length - 1; index >= 0; index--) {
      const layer = this.#temporary[index];
      if (layer?.key === key) return layer.value as V[K];
    }
    return this.#lasting[key];
  }

  /** Changes a value until the next change. */
  set<K extends keyof V>(key: K, value: V[K]): void {
    for (let index = this.#temporary.length - 1; index >= 0; index--) {
      if (this.#temporary[index]?.key === key) this.#temporary.splice(index, 1);
    }
    this.#lasting[key] = value;
  }

  /** All values in force, as a new object. */
  values(): V {
    const values = { ...this.#lasting };
    for (const { key, value } of this.#temporary) values[key] = value;
    return values;
  }

  /** When the overrides in force end, by key. Absent keys have none with a known end. */
  ends(): Partial<Record<keyof V, number>> {
    const ends: Partial<Record<keyof V, number>> = {};
    for (const { key, endsAtMs } of this.#temporary) if (endsAtMs !== undefined) ends[key] = endsAtMs;
    return ends;
  }

  /**
   * Overrides a value until `removeLayer` is called with the returned layer.
   *
   * @param endsAtMs - when the caller will remove it, for `ends`
   */
  addLayer<K extends keyof V>(key: K, value: V[K], endsAtMs?: number): object {
    const layer = { key, value, endsAtMs };
    this.#temporary.push(layer);
    return layer;
  }

  /** Ends an override; false when a later lasting change has replaced it. */
  removeLayer(layer: object): boolean {
    const index = this.#temporary.findIndex((one) => one === layer);
    if (index === -1) return false;
    this.#temporary.splice(index, 1);
    return true;
  }
}
