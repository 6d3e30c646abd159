import { TIMER_MS_MAX } from "../base/index.js";
import { Fifo } from "./fifo.js";

/** An item that is released at an instant. */
export interface Due {
  /** Instant of the queue's clock. */
  readonly dueMs: number;
}

/**
 * The last milliseconds before a due time are polled on each turn of the event loop: Node's timers have a resolution of
 * 1 ms, and a sleeping thread must first be scheduled again. With thousands of items due a second it never sleeps.
 */
const POLLED_MS = 2;

/** Queue by due time: releases each item at its due time, never before; items of one instant in order of arrival. */
export class DueQueue<T extends Due> {
  readonly #items = new Fifo<T>();
  readonly #clock: () => number;
  readonly #release: (item: T) => void;
  #timer: NodeJS.Timeout | undefined;
  #isPolling = false;

  /** @param clock - wall milliseconds, never going back */
  constructor(clock: () => number, release: (item: T) => void) {
    this.#clock = clock;
    this.#release = release;
  }

  get size(): number {
    return this.#items.size;
  }

  add(item: T): void {
    const { dueMs } = item;
    this.#items.insert(item, (other) => other.dueMs > dueMs);
    if (this.#items.first === item) this.#scheduleRelease(dueMs);
  }

  /** Removes and returns all items, due or not. */
  removeAll(): T[] {
    clearTimeout(this.#timer);
    return Array.from({ length: this.#items.size }, () => this.#items.shift() as T);
  }

  #scheduleRelease(dueMs: number): void {
    if (this.#isPolling) return; // the next turn checks the new first item
    clearTimeout(this.#timer);
    const leftMs = dueMs - this.#clock();
    if (leftMs > POLLED_MS) {
      this.#timer = setTimeout(this.#releaseDue, Math.min(Math.max(1, Math.floor(leftMs - POLLED_MS)), TIMER_MS_MAX));
    } else {
      this.#isPolling = true;
      setImmediate(this.#releaseDue);
    }
  }

  readonly #releaseDue = (): void => {
    this.#isPolling = false;
    const nowMs = this.#clock();
    for (let { first } = this.#items; first !== undefined && first.dueMs <= nowMs; { first } = this.#items) {
      this.#items.shift();
      this.#release(first);
    }
    const { first } = this.#items;
    if (first !== undefined) this.#scheduleRelease(first.dueMs);
  };
}
