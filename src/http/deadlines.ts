import { TIMER_MS_MAX } from "../base/index.js";
import { Chain, type Link } from "./linked-list.js";

/** What must be over by an instant. */
export interface Deadline extends Link<Deadline> {
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
  readonly #chains = new Map<number, Chain<Deadline>>();
  /** The chain that was asked for last, and the time that it allows. */
  #last: { readonly timeoutMs: number; readonly chain: Chain<Deadline> } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #firesAtMs = Infinity;

  /** @param clock - wall milliseconds, never going back */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Adds one that began now. */
  add(deadline: Deadline): void {
    const { timeoutMs, startedMs } = deadline;
    this.#chainOf(timeoutMs).push(deadline);
    if (startedMs + timeoutMs < this.#firesAtMs) this.#set(startedMs + timeoutMs, startedMs);
  }

  /** Takes one out that was added and has not expired. */
  remove(deadline: Deadline): void {
    const { timeoutMs } = deadline;
    const chain = this.#chainOf(timeoutMs);
    chain.remove(deadline);
    // A run has one allowance or a few; those of a caller who has many must not pile up.
    if (chain.size > 0 || this.#chains.size <= 16) return;
    this.#chains.delete(timeoutMs);
    this.#last = undefined;
  }

  /** Ends everything now. */
  failAll(error: string): void {
    this.#failUntil(Infinity, error);
    clearTimeout(this.#timer);
    this.#firesAtMs = Infinity;
  }

  #chainOf(timeoutMs: number): Chain<Deadline> {
    if (this.#last?.timeoutMs === timeoutMs) return this.#last.chain;
    let chain = this.#chains.get(timeoutMs);
    if (chain === undefined) this.#chains.set(timeoutMs, (chain = new Chain()));
    this.#last = { timeoutMs, chain };
    return chain;
  }

  #set(dueMs: number, nowMs: number): void {
    clearTimeout(this.#timer);
    this.#firesAtMs = dueMs;
    this.#timer = setTimeout(this.#fire, Math.min(Math.max(1, Math.ceil(dueMs - nowMs)), TIMER_MS_MAX));
    // What is under way keeps the process alive by its socket; a timer that nobody needs any more must not.
    this.#timer.unref();
  }

  readonly #fire = (): void => {
    const firedMs = this.#clock();
    setImmediate(() => {
      this.#failUntil(firedMs, "ETIMEDOUT");
      this.#firesAtMs = Infinity;
      let nextMs = Infinity;
      for (const { first } of this.#chains.values()) {
        if (first !== undefined) nextMs = Math.min(nextMs, first.startedMs + first.timeoutMs);
      }
      if (nextMs < Infinity) this.#set(nextMs, this.#clock());
    });
  };

  #failUntil(untilMs: number, error: string): void {
    for (const [timeoutMs, chain] of this.#chains) {
      for (let { first } = chain; first !== undefined && first.startedMs + timeoutMs <= untilMs; { first } = chain) {
        chain.remove(first);
        first.fail(error);
      }
    }
  }
}
