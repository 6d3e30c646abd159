import type { Kernel } from "../sim/index.js";
import { Layers } from "./layers.js";

/** Values that change for good or for a time (see `Layers`), and what to do when they have changed. */
export class ChangingValues<V extends object> {
  readonly #kernel: Kernel;
  readonly #onChange: () => void;
  /** The values in force. Replaced on each change, so that reading it costs nothing. */
  current: Readonly<V>;
  #layers: Layers<V> | undefined;

  constructor(initial: V, { kernel, onChange }: { readonly kernel: Kernel; readonly onChange: () => void }) {
    this.current = initial;
    this.#kernel = kernel;
    this.#onChange = onChange;
  }

  /**
   * Changes some values.
   *
   * @param changes - the new values; undefined ones do not change
   * @param forMs - undefined: until the next change
   */
  change(changes: Partial<V>, forMs: number | undefined): void {
    const layers = (this.#layers ??= new Layers({ ...this.current }));
    const temporary: object[] = [];
    for (const key of Object.keys(changes) as (keyof V)[]) {
      const value = changes[key];
      if (value === undefined) continue;
      if (forMs === undefined) layers.set(key, value);
      else temporary.push(layers.addLayer(key, value, this.#kernel.now + forMs));
    }
    if (forMs !== undefined) this.#kernel.in(forMs, () => this.#end(layers, temporary), undefined);
    this.#apply(layers);
  }

  /** When the values that changed for a time change back, by key. */
  ends(): Partial<Record<keyof V, number>> {
    return this.#layers?.ends() ?? {};
  }

  #end(layers: Layers<V>, temporary: readonly object[]): void {
    const removed = temporary.filter((layer) => layers.removeLayer(layer));
    if (removed.length > 0) this.#apply(layers);
  }

  #apply(layers: Layers<V>): void {
    this.current = layers.values();
    this.#onChange();
  }
}
