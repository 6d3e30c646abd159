import type { LevelVerdict } from "./levels.js";
import type { TrialLength } from "./time-budget.js";

/** The result of a trial, as far as the search needs it. */
export interface TrialOutcome {
  readonly verdict: LevelVerdict;
  /** Too few attempts to judge: the ramp takes a larger step. */
  readonly isSparse?: boolean;
  /** Fewer attempts than in a sparse trial: the ramp takes an even larger step. */
  readonly isScarce?: boolean;
  /** The receiver was saturated and handled this share of the value. */
  readonly handled?: number;
  /** `handled` was measured while other programs kept this machine busy. */
  readonly isRough?: boolean;
  /** Aborted because its queue would have taken too long. */
  readonly isBrokenOff?: boolean;
  /** Void because the generator was late at the median: it cannot produce this load. Absent: single stalls at most. */
  readonly isBeyondGenerator?: boolean;
  /**
   * Void because this machine may be why it failed, so it is weak evidence. The value is the probability that a trial
   * fails for such a reason at a load that the receiver can take.
   */
  readonly doubt?: number;
  /** Did not pass because all our connections were in use, while the receiver was no slower than at low load. */
  readonly isByConnections?: boolean;
  /** Passed, but hardly more attempts came due than at a much easier value: the phones limit the load. */
  readonly isFlat?: boolean;
  /** The user stopped the trial: it does not count, and the search ends. */
  readonly isStopped?: boolean;
}

/** Plays a trial of a value; an exception ends the search. */
export type PlayTrial = (value: number, length: TrialLength) => Promise<TrialOutcome>;

/** Whether the ramp may continue: the trial passed, or only stalls of this machine made it void and no queue grew. */
export function keptUp({ verdict, handled, isBeyondGenerator, isBrokenOff }: TrialOutcome): boolean {
  if (verdict === "passed") return true;
  return verdict === "void" && handled === undefined && isBeyondGenerator !== true && isBrokenOff !== true;
}
