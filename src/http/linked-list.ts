/** What can stand in a chain, in one at a time. The chain alone sets both. */
export interface ListNode<T> {
  previous: T | undefined;
  next: T | undefined;
}

/** A list whose items know their neighbours: whoever has one takes it out at once, wherever it stands. */
export class LinkedList<T extends ListNode<T>> {
  first: T | undefined;
  #last: T | undefined;
  size = 0;

  /** Adds an item that is in no chain, at the end. */
  push(item: T): void {
    item.previous = this.#last;
    if (this.#last === undefined) this.first = item;
    else this.#last.next = item;
    this.#last = item;
    this.size++;
  }

  /** Takes out an item that is in this chain. */
  remove(item: T): void {
    const { previous: before, next: after } = item;
    if (before === undefined) this.first = after;
    else before.next = after;
    if (after === undefined) this.#last = before;
    else after.previous = before;
    item.previous = undefined;
    item.next = undefined;
    this.size--;
  }
}
