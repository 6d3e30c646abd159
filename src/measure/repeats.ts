import { type EventName, eventKey } from "./event-name.js";
import type { MeasuredAttempt } from "./measurements.js";
import { troubleOfCode } from "./trouble-code.js";

/** Maximum count of events tracked after an unanswered attempt; further ones are not tracked. */
const MAX_TRACKED = 1_048_576;

/** An attempt with the name of its event. */
type Named = Pick<MeasuredAttempt, "try" | "status" | "sentWallMs" | "error"> &
  EventName & {
    readonly isRepeat: boolean | 0 | 1;
  };

/** Counts the attempts that may be duplicates for the receiver. */
export class Repeats {
  /** Events with a written request that got no answer; true: because of trouble on the way to the receiver. */
  readonly #unanswered = new Map<number, boolean>();
  #resent = 0;
  #resentByTrouble = 0;
  #resumed = 0;

  /** Attempts after a request that had been written and was not answered. */
  get resent(): number {
    return this.#resent;
  }

  /** Of `resent`: the answer before was lost, or the connection cut, by trouble on the way. */
  get resentByTrouble(): number {
    return this.#resentByTrouble;
  }

  /** Attempts that were in flight when the run was interrupted, and were sent again. */
  get resumed(): number {
    return this.#resumed;
  }

  recordAttempt({ channel, number, try: tryNumber, status, sentWallMs, error, isRepeat }: Named): void {
    if (isRepeat === true || isRepeat === 1) this.#resumed++;
    const isUnanswered = status === null && sentWallMs !== null;
    if (tryNumber === 1 && !isUnanswered) return;
    const event = eventKey({ channel, number });
    const before = tryNumber > 1 ? this.#unanswered.get(event) : undefined;
    if (before !== undefined) {
      this.#unanswered.delete(event);
      this.#resent++;
      if (before) this.#resentByTrouble++;
    }
    if (isUnanswered && this.#unanswered.size < MAX_TRACKED)
      this.#unanswered.set(event, troubleOfCode(error) !== undefined);
  }
}
