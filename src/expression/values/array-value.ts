import type { Value } from "./value.js";

/** An ordered list. Its items may be computed on first use. */
export class ArrayValue {
  #items: readonly Value[] | undefined;
  #compute: (() => readonly Value[]) | undefined;

  /** @param items - the items, or what computes them on first use */
  constructor(items: readonly Value[] | (() => readonly Value[])) {
    if (typeof items === "function") this.#compute = items;
    else this.#items = items;
  }

  get items(): readonly Value[] {
    if (this.#items === undefined) {
      this.#items = this.#compute?.() ?? [];
      this.#compute = undefined;
    }
    return this.#items;
  }
}
