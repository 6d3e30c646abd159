/**
 * Changes to a handset that may end by themselves. The value in force is that of the latest change that has not
 * ended; a change without an end replaces all that were in force before it. So overlapping outages end when the last
 * one does, whatever their order.
 */
export class Layers<V extends object> {
  readonly #lasting: V;
  readonly #temporary: { readonly key: keyof V; readonly value: V[keyof V] }[] = [];

  /** @param initial - the values before any change; taken over, not copied */
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

  /** Changes a value for good. */
  set<K extends keyof V>(key: K, value: V[K]): void {
    for (let index = this.#temporary.length - 1; index >= 0; index--) {
      if (this.#temporary[index]?.key === key) this.#temporary.splice(index, 1);
    }
    this.#lasting[key] = value;
  }

  /** Changes a value until `lift` is called with what this returns. */
  addLayer<K extends keyof V>(key: K, value: V[K]): object {
    const layer = { key, value };
    this.#temporary.push(layer);
    return layer;
  }

  /** Ends a change; false when a later lasting change has already replaced it. */
  removeLayer(layer: object): boolean {
    const index = this.#temporary.findIndex((one) => one === layer);
    if (index === -1) return false;
    this.#temporary.splice(index, 1);
    return true;
  }
}
