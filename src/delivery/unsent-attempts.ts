import { effectOrder } from "./outcome.js";
import type { PendingAttempt } from "./pending-attempt.js";
import type { Attempt } from "./types.js";

/**
 * Attempts that are made and wait to be sent. A re-executed run removes those whose results are in its recording; the
 * others are sent.
 */
export class UnsentAttempts {
  #attempts: PendingAttempt[] = [];
  /** From the first `takeRecorded` until `takeAll`: all attempts by `effectOrder` (an event has one open attempt). */
  #byEvent: Map<number, PendingAttempt> | undefined;

  get size(): number {
    return this.#byEvent?.size ?? this.#attempts.length;
  }

  add(attempt: PendingAttempt): void {
    if (this.#byEvent === undefined) this.#attempts.push(attempt);
    else this.#byEvent.set(effectOrder(attempt), attempt);
  }

  /** Removes the attempt with the event and the try of a recorded one; undefined when there is none. */
  takeRecorded(recorded: Pick<Attempt, "channel" | "number" | "try">): PendingAttempt | undefined {
    this.#byEvent ??= new Map(this.#attempts.map((attempt) => [effectOrder(attempt), attempt]));
    const order = effectOrder(recorded);
    const attempt = this.#byEvent.get(order);
    if (attempt?.try !== recorded.try) return undefined;
    this.#byEvent.delete(order);
    return attempt;
  }

  /** Removes and returns all, in the order in which they were added. */
  takeAll(): readonly PendingAttempt[] {
    const attempts = this.#byEvent === undefined ? this.#attempts : [...this.#byEvent.values()];
    this.#attempts = [];
    this.#byEvent = undefined;
    return attempts;
  }

  [Symbol.iterator](): Iterator<PendingAttempt> {
    return (this.#byEvent?.values() ?? this.#attempts.values())[Symbol.iterator]();
  }
}
