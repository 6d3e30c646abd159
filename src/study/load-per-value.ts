import type { Outcome } from "./capacity.js";
import type { Quantity } from "./quantity.js";
import type { Trial } from "./trial.js";

/**
 * How many attempts a second a value means, as trials that were not saturated show. A trial that is broken off early has not
 * come to its full load, so that what its receiver handles is a smaller share of the value than of what was due up to there.
 */
export class LoadPerValue {
  readonly #isProportional: boolean;
  /** Attempts a second for each unit of the value; undefined: not known yet. */
  #perValue: number | undefined;

  constructor(kind: Quantity["kind"]) {
    this.#isProportional = kind === "rate";
  }

  /** Takes note of a trial. @returns its outcome with the share of the value that was handled */
  corrected(trial: Trial, outcome: Outcome): Outcome {
    const { value, attemptsPerSecond, handledPerSecond } = trial;
    if (handledPerSecond === null && outcome.isSparse !== true && outcome.verdict !== "void") {
      this.#perValue = attemptsPerSecond / value;
    }
    if (outcome.handled === undefined || handledPerSecond === null) return outcome;
    if (!this.#isProportional || this.#perValue === undefined) return outcome;
    return { ...outcome, handled: Math.min(outcome.handled, handledPerSecond / (this.#perValue * value)) };
  }
}
