import { boundsMs } from "./pass-condition.js";
import type { TrialLength } from "./time-budget.js";

/** A trial is aborted if the queue takes at least this long, wall milliseconds… */
const HOPELESS_MS: Readonly<Record<TrialLength, number>> = { probe: 2_000, trial: 5_000 };

/** …and this many times the longest bound. */
const HOPELESS_TIMES = 4;

/**
 * A trial is aborted if its queue would take longer than this at the rate of the answers. Wall milliseconds.
 *
 * @param pass - the condition of a passed trial, as lines of `expect`
 */
export function hopelessMs(length: TrialLength, pass: readonly string[]): number {
  return Math.max(HOPELESS_MS[length], HOPELESS_TIMES * Math.max(0, ...boundsMs(pass)));
}
