/** What can stand in a chain, in one at a time. The chain alone sets both. */
export interface Link<T> {
  before: T | undefined;
  after: T | undefined;
}

/** A list whose items know their neighbours: whoever has one takes it out at once, wherever it stands. */
export class Chain<T extends Link<T>> {
  first: T | undefined;
  #last: T | undefined;
  size = 0;

  /** Adds an item that is in no chain, at the end. */
  push(item: T): void {
    item.before = this.#last;
    if (this.#last === undefined) this.first = item;
    else this.#last.after = item;
    this.#last = item;
    this.size++;
  }

  /** Takes out an item that is in this chain. */
  remove(item: T): void {
    const { before, after } = item;
    if (before === undefined) this.first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    item.before = undefined;
    item.after = undefined;
    this.size--;
  }
}
