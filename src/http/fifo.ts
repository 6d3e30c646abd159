/** First-in-first-out queue over an array with a head index: `shift` is O(1) amortized. */
export class Fifo<T> {
  #items: (T | undefined)[] = [];
  #head = 0;

  get size(): number {
    return this.#items.length - this.#head;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  /** Inserts an item before all that come after it; searches from the end, where most items belong. */
  insert(item: T, comesAfter: (other: T) => boolean): void {
    const items = this.#items;
    let index = items.length;
    while (index > this.#head && comesAfter(items[index - 1] as T)) index--;
    if (index === items.length) items.push(item);
    else items.splice(index, 0, item);
  }

  /** The first item without removing it; undefined when the queue is empty. */
  get first(): T | undefined {
    return this.#items[this.#head];
  }

  /** Removes and returns the first item; undefined when the queue is empty. */
  shift(): T | undefined {
    const item = this.#items[this.#head];
    if (this.#head === this.#items.length) return undefined;
    this.#items[this.#head++] = undefined;
    if (this.#head === this.#items.length) {
      this.#items = [];
      this.#head = 0;
    } else if (this.#head > 1024 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
}
