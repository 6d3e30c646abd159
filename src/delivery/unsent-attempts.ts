import { effectOrder } from "./outcome.js";
import type { PendingAttempt } from "./pending-attempt.js";
import type { Attempt } from "./types.js";

/**
 * Attempts that are made and wait to be sent. A re-executed run removes those whose results are in its recording; the
 * others are sent.
 */
export class UnsentAttempts {
  #attempts: PendingAttempt[] = [];
  /**
   * From the first `takeRecorded` until `takeAll`: the attempts by `effectOrder`. Apart from its copies, an event has one
   * open attempt.
   */
  #byEvent: Map<number, PendingAttempt> | undefined;
  /** Then: the copies, a few at a time. */
  #copies: PendingAttempt[] = [];

  get size(): number {
    return this.#byEvent === undefined ? this.#attempts.length : this.#byEvent.size + this.#copies.length;
  }

  add(attempt: PendingAttempt): void {
    if (this.#byEvent === undefined) this.#attempts.push(attempt);
    else if (attempt.isCopy) this.#copies.push(attempt);
    else this.#byEvent.set(effectOrder(attempt), attempt);
  }

  /** Removes the attempt with the event and the try of a recorded one; undefined when there is none. */
  takeRecorded(recorded: Pick<Attempt, "channel" | "number" | "try">): PendingAttempt | undefined {
    if (this.#byEvent === undefined) {
      const attempts = this.#attempts;
      this.#byEvent = new Map();
      for (const attempt of attempts) this.add(attempt);
    }
    const order = effectOrder(recorded);
    const attempt = this.#byEvent.get(order);
    if (attempt?.try !== recorded.try) return this.#takeCopy(recorded);
    this.#byEvent.delete(order);
    return attempt;
  }

  #takeCopy(recorded: Pick<Attempt, "channel" | "number" | "try">): PendingAttempt | undefined {
    const index = this.#copies.findIndex(
      ({ channel, number, try: tryNumber }) =>
        channel === recorded.channel && number === recorded.number && tryNumber === recorded.try,
    );
    return index === -1 ? undefined : this.#copies.splice(index, 1)[0];
  }

  /** Removes and returns all, in the order in which they were added; after `takeRecorded` the copies come last. */
  takeAll(): readonly PendingAttempt[] {
    const attempts = this.#byEvent === undefined ? this.#attempts : [...this];
    this.#attempts = [];
    this.#copies = [];
    this.#byEvent = undefined;
    return attempts;
  }

  [Symbol.iterator](): Iterator<PendingAttempt> {
    const all = this.#byEvent === undefined ? this.#attempts : [...this.#byEvent.values(), ...this.#copies];
    return all[Symbol.iterator]();
  }
}
