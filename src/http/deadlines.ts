import { TIMER_MS_MAX } from "../base/index.js";
import { LinkedList, type ListNode } from "./linked-list.js";

/** What must be over by an instant. */
export interface Deadline extends ListNode<Deadline> {
  /** From the start; > 0. */
  readonly timeoutMs: number;
  /** By the clock of `Deadlines`. */
  readonly startedMs: number;
  /** Ends it with an error; by then it is no longer among the deadlines. */
  fail(error: string): void;
}

/**
 * The deadlines of everything that is under way, on one timer (their error is `ETIMEDOUT`): a timer for each would cost more than the rest of a
 * request. Those that allow the same time expire in the order in which they began, so each allowance has a chain, and
 * only the firsts are looked at. The timer is left running when what it was set for has come to its end in time.
 *
 * What came while the process was busy elsewhere is read before anything is declared late: expiring waits until the
 * event loop has been to the sockets once more.
 */
export class Deadlines {
  readonly #clock: () => number;
  /** By the time that they allow. */
  readonly #lists = new Map<number, LinkedList<Deadline>>();
  /** The chain that was asked for last, and the time that it allows. */
  #lastList: { readonly timeoutMs: number; readonly chain: LinkedList<Deadline> } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #firesAtMs = Infinity;

  /** @param clock - wall milliseconds, never going back */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Adds one that began now. */
  add(deadline: Deadline): void {
    const { timeoutMs, startedMs } = deadline;
    this.#listFor(timeoutMs).push(deadline);
    if (startedMs + timeoutMs < this.#firesAtMs) this.#setTimer(startedMs + timeoutMs, startedMs);
  }

  /** Takes one out that was added and has not expired. */
  remove(deadline: Deadline): void {
    const { timeoutMs } = deadline;
    const chain = this.#listFor(timeoutMs);
    chain.remove(deadline);
    // A run has one allowance or a few; those of a caller who has many must not pile up.
    if (chain.size > 0 || this.#lists.size <= 16) return;
    this.#lists.delete(timeoutMs);
    this.#lastList = undefined;
  }

  /** Ends everything now. */
  failAll(error: string): void {
    this.#failDueBy(Infinity, error);
    clearTimeout(this.#timer);
    this.#firesAtMs = Infinity;
  }

  #listFor(timeoutMs: number): LinkedList<Deadline> {
    if (this.#lastList?.timeoutMs === timeoutMs) return this.#lastList.chain;
    let chain = this.#lists.get(timeoutMs);
    if (chain === undefined) this.#lists.set(timeoutMs, (chain = new LinkedList()));
    this.#lastList = { timeoutMs, chain };
    return chain;
  }

  #setTimer(dueMs: number, nowMs: number): void {
    clearTimeout(this.#timer);
    this.#firesAtMs = dueMs;
    this.#timer = setTimeout(this.#onTimer, Math.min(Math.max(1, Math.ceil(dueMs - nowMs)), TIMER_MS_MAX));
    // What is under way keeps the process alive by its socket; a timer that nobody needs any more must not.
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
    for (const [timeoutMs, chain] of this.#lists) {
      for (let { first } = chain; first !== undefined && first.startedMs + timeoutMs <= untilMs; { first } = chain) {
        chain.remove(first);
        first.fail(error);
      }
    }
  }
}
