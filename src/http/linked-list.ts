/** Links of an intrusive list; an item is in one list at a time, and only the list sets them. */
export interface ListNode<T> {
  previous: T | undefined;
  next: T | undefined;
}

/** Intrusive doubly linked list: removes any item in constant time, without an allocation. */
export class LinkedList<T extends ListNode<T>> {
  first: T | undefined;
  #last: T | undefined;
  size = 0;

  /** Appends an item that is in no list. */
  push(item: T): void {
    item.previous = this.#last;
    if (this.#last === undefined) this.first = item;
    else this.#last.next = item;
    this.#last = item;
    this.size++;
  }

  /** Removes an item of this list. */
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
