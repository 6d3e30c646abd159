import type { HandsetIndex } from "./names.js";

/** The selected handsets. It is independent of positions, so another order or filter keeps it. */
export class HandsetSelection {
  #marks = new Uint8Array(0);
  #count = 0;
  readonly #changed: () => void;

  /** @param changed - called after each change */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get count(): number {
    return this.#count;
  }

  has(index: HandsetIndex): boolean {
    return this.#marks[index] === 1;
  }

  /** Clears the selection for another fleet. */
  resize(count: number): void {
    if (count === this.#marks.length) return;
    this.#marks = new Uint8Array(count);
    this.#count = 0;
    this.#changed();
  }

  toggle(index: HandsetIndex): void {
    this.#mark(index, !this.has(index));
    this.#changed();
  }

  /** @param keep - adds to the current selection */
  select(indexes: Iterable<HandsetIndex>, { keep }: { readonly keep: boolean }): void {
    if (!keep) this.#clear();
    for (const index of indexes) this.#mark(index, true);
    this.#changed();
  }

  /** Selects all of them, or deselects them if all are selected. */
  toggleAll(indexes: readonly HandsetIndex[] | Uint32Array): void {
    const isSelected = !indexes.every((index) => this.has(index));
    for (const index of indexes) this.#mark(index, isSelected);
    this.#changed();
  }

  clear(): void {
    if (this.#count === 0) return;
    this.#clear();
    this.#changed();
  }

  /** Ascending. */
  indexes(): Uint32Array {
    const list = new Uint32Array(this.#count);
    let length = 0;
    for (let index = 0; index < this.#marks.length; index++) if (this.#marks[index] === 1) list[length++] = index;
    return list;
  }

  #clear(): void {
    this.#marks.fill(0);
    this.#count = 0;
  }

  #mark(index: HandsetIndex, isSelected: boolean): void {
    if (index < 0 || index >= this.#marks.length || this.has(index) === isSelected) return;
    this.#marks[index] = isSelected ? 1 : 0;
    this.#count += isSelected ? 1 : -1;
  }
}
