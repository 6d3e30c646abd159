import { TIMER_MS_MAX } from "../base/index.js";
import { Fifo } from "./fifo.js";

/** What is not to leave before its time. */
export interface Due {
  /** By the clock of `Held`. */
  readonly dueMs: number;
}

/**
 * From so many milliseconds before the next instant the clock is looked at on each turn of the loop: timers of Node are whole
 * milliseconds, and a thread that sleeps must first be given a core again. Where thousands are due in each second it never
 * sleeps.
 */
const POLLED_MS = 2;

/**
 * Holds what is not due yet, and releases each when its time has come, never before: the earliest first, those of one instant
 * in the order of arrival.
 */
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

  /** Gives out all that it holds, without waiting for their time. */
  removeAll(): T[] {
    clearTimeout(this.#timer);
    return Array.from({ length: this.#items.size }, () => this.#items.shift() as T);
  }

  #scheduleRelease(dueMs: number): void {
    if (this.#isPolling) return; // on the next turn it looks at whatever is first
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
