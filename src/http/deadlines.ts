import { TIMER_MS_MAX } from "../base/index.js";
import { LinkedList, type ListNode } from "./linked-list.js";

/** Something that must end within a timeout. */
export interface Deadline extends ListNode<Deadline> {
  /** Counted from `startedMs`; > 0. */
  readonly timeoutMs: number;
  /** By the clock of `Deadlines`. */
  readonly startedMs: number;
  /** Ends it with an error; the deadline is already removed. */
  fail(error: string): void;
}

/**
 * All deadlines on one timer; their error is `ETIMEDOUT`. Deadlines of equal timeout expire in start order, so each
 * timeout has one linked list and only the heads are compared. The timer is not cleared when a deadline is removed: it
 * fires, finds nothing due and is set again. A timer for each request would cost more than the rest of the request.
 *
 * Expiry waits one turn of the event loop, so that answers that arrived while the process was busy are read first.
 */
export class Deadlines {
  readonly #clock: () => number;
  /** By timeout. */
  readonly #lists = new Map<number, LinkedList<Deadline>>();
  /** The list that was looked up last. */
  #lastList: { readonly timeoutMs: number; readonly list: LinkedList<Deadline> } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #firesAtMs = Infinity;

  /** @param clock - wall milliseconds, never going back */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Adds a deadline that starts now. */
  add(deadline: Deadline): void {
    const { timeoutMs, startedMs } = deadline;
    this.#listFor(timeoutMs).push(deadline);
    if (startedMs + timeoutMs < this.#firesAtMs) this.#setTimer(startedMs + timeoutMs, startedMs);
  }

  /** Removes a deadline that has not expired. */
  remove(deadline: Deadline): void {
    const { timeoutMs } = deadline;
    const list = this.#listFor(timeoutMs);
    list.remove(deadline);
    // A run has one timeout or a few; a caller with many different ones must not fill the map.
    if (list.size > 0 || this.#lists.size <= 16) return;
    this.#lists.delete(timeoutMs);
    this.#lastList = undefined;
  }

  /** Fails all deadlines now. */
  failAll(error: string): void {
    this.#failDueBy(Infinity, error);
    clearTimeout(this.#timer);
    this.#firesAtMs = Infinity;
  }

  #listFor(timeoutMs: number): LinkedList<Deadline> {
    if (this.#lastList?.timeoutMs === timeoutMs) return this.#lastList.list;
    let list = this.#lists.get(timeoutMs);
    if (list === undefined) this.#lists.set(timeoutMs, (list = new LinkedList()));
    this.#lastList = { timeoutMs, list };
    return list;
  }

  #setTimer(dueMs: number, nowMs: number): void {
    clearTimeout(this.#timer);
    this.#firesAtMs = dueMs;
    this.#timer = setTimeout(this.#onTimer, Math.min(Math.max(1, Math.ceil(dueMs - nowMs)), TIMER_MS_MAX));
    // An open socket keeps the process alive; a timer that is no longer needed must not.
    this.#timer.unref();
  }

  readonly #onTimer = (): void => {
    const firedMs = this.#clock();
    setImmediate(() => {
      this.#failDueBy(firedMs, "ETIMEDOUT");
      this.#firesAtMs = Infinity;
      let nextMs = Infinity;
      for (const { first } of this.#lists.values()) {
        if (first !== undefined) nextMs = Math.min(nextMs, first.startedMs + first.timeoutMs);
      }
      if (nextMs < Infinity) this.#setTimer(nextMs, this.#clock());
    });
  };

  #failDueBy(untilMs: number, error: string): void {
    for (const [timeoutMs, list] of this.#lists) {
      for (let { first } = list; first !== undefined && first.startedMs + timeoutMs <= untilMs; { first } = list) {
        list.remove(first);
        first.fail(error);
      }
    }
  }
}
