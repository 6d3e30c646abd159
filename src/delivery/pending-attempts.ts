import { Fifo } from "../http/index.js";
import type { SimTime } from "../sim/index.js";
import { effectOrder } from "./outcome.js";
import type { PendingAttempt } from "./pending-attempt.js";

/**
 * Attempts that are made and not yet in effect, unordered; each knows its index. Not a Set: V8 replaces a Set's table
 * as it grows, and the old tables keep removed attempts alive until the next full collection.
 */
export class PendingAttempts {
  readonly #attempts: PendingAttempt[] = [];
  /** Lockstep: in the order in which they must be answered. Answered attempts stay until they are at the head. */
  readonly #unanswered = new Fifo<PendingAttempt>();

  get size(): number {
    return this.#attempts.length;
  }

  /** Lockstep: when the earliest unanswered attempt must be answered; Infinity when there is none, and outside lockstep. */
  get horizonMs(): SimTime {
    return this.#unanswered.first?.answerByMs ?? Infinity;
  }

  /** @param options - `holdsHorizon`: lockstep, where most attempts are added in the order in which they must be answered */
  add(attempt: PendingAttempt, { holdsHorizon }: { readonly holdsHorizon: boolean }): void {
    attempt.index = this.#attempts.length;
    this.#attempts.push(attempt);
    if (holdsHorizon) this.#unanswered.insert(attempt, (other) => other.answerByMs > attempt.answerByMs);
  }

  /** Swap-remove: the last attempt moves to the freed index. */
  remove(attempt: PendingAttempt): void {
    const { index } = attempt;
    attempt.index = -1;
    const last = this.#attempts.pop();
    if (last === undefined || last === attempt) return;
    last.index = index;
    this.#attempts[index] = last;
  }

  /** Moves the horizon past answered attempts; call it after an answer. */
  advanceHorizon(): void {
    while (this.#unanswered.first?.isAnswered === true) this.#unanswered.shift();
  }

  /** All attempts in the order (time, channel, number) of their effect. */
  inEffectOrder(): PendingAttempt[] {
    return [...this.#attempts].sort(
      (a, b) => a.effectAtMs - b.effectAtMs || effectOrder(a) - effectOrder(b) || a.try - b.try,
    );
  }
}
