import type { MeasuredAttempt } from "./measurements.js";

/** Events that wait for another attempt after an unanswered one, at most: later ones are not followed. */
const MOST = 1_048_576;

/** An attempt at an event that is named. */
type Named = Pick<MeasuredAttempt, "try" | "status" | "sentWallMs"> & {
  readonly channel: number;
  readonly number: number;
  readonly isRepeat: boolean | 0 | 1;
};

/** Counts the attempts that a receiver may have met before. */
export class Repeats {
  /** Events of which a request was written and not answered. */
  readonly #unanswered = new Set<number>();
  #resent = 0;
  #resumed = 0;

  /** Attempts after a request that had been written and was not answered. */
  get resent(): number {
    return this.#resent;
  }

  /** Attempts that were in flight when the run was cut off, and were made again. */
  get resumed(): number {
    return this.#resumed;
  }

  recordAttempt({ channel, number, try: tryNumber, status, sentWallMs, isRepeat }: Named): void {
    if (isRepeat === true || isRepeat === 1) this.#resumed++;
    const isUnanswered = status === null && sentWallMs !== null;
    if (tryNumber === 1 && !isUnanswered) return;
    const event = channel * 2 ** 32 + number;
    if (tryNumber > 1 && this.#unanswered.delete(event)) this.#resent++;
    if (isUnanswered && this.#unanswered.size < MOST) this.#unanswered.add(event);
  }
}
