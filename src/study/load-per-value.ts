import type { TrialOutcome } from "./capacity.js";
import type { Quantity } from "./quantity.js";
import type { Trial } from "./trial.js";

/**
 * Learns the attempts per second for each unit of the value from trials without saturation. An aborted trial has not
 * reached its full load, so the share of the value that its receiver handled is smaller than the share of the attempts
 * due so far.
 */
export class LoadPerValue {
  readonly #isProportional: boolean;
  /** Attempts per second for each unit of the value; undefined: unknown yet. */
  #perValue: number | undefined;

  constructor(kind: Quantity["kind"]) {
    this.#isProportional = kind === "rate";
  }

  /** Learns from a trial. @returns its outcome with the handled share of the value corrected */
  correctOutcome(trial: Trial, outcome: TrialOutcome): TrialOutcome {
    const { value, attemptsPerSecond, handledPerSecond } = trial;
    if (handledPerSecond === null && outcome.isSparse !== true && outcome.verdict !== "void") {
      this.#perValue = attemptsPerSecond / value;
    }
    if (outcome.handled === undefined || handledPerSecond === null) return outcome;
    if (!this.#isProportional || this.#perValue === undefined) return outcome;
    return { ...outcome, handled: Math.min(outcome.handled, handledPerSecond / (this.#perValue * value)) };
  }
}
