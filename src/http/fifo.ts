/** A queue in the order of arrival. Taking the first is cheap however long the queue is. */
export class Fifo<T> {
  #items: (T | undefined)[] = [];
  #head = 0;

  get size(): number {
    return this.#items.length - this.#head;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  /** Puts an item before those at the end that come after it: cheap where most arrive in their order. */
  insert(item: T, comesAfter: (other: T) => boolean): void {
    const items = this.#items;
    let place = items.length;
    while (place > this.#head && comesAfter(items[place - 1] as T)) place--;
    if (place === items.length) items.push(item);
    else items.splice(place, 0, item);
  }

  /** The first, left in place; undefined when the queue is empty. */
  get first(): T | undefined {
    return this.#items[this.#head];
  }

  /** Takes the first; undefined when the queue is empty. */
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
