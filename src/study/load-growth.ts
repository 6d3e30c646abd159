import { LabError } from "../base/index.js";
import type { Quantity } from "./quantity.js";
import type { Trial } from "./trial.js";

/**
 * If a count grows by `times` and the attempts grow by less than `attempts`, the value does not drive the load. The search
 * would never find a limit.
 */
const LEAST_GROWTH = { times: 8, attempts: 1.2 };

/** Factor of the ramp. A rate multiplied by it yields clearly more attempts, unless the phones limit them. */
const FLAT_TIMES = 4;

/**
 * Checks that the load grows with a count.
 *
 * @throws LabError `bad-options` when it does not
 */
export function checkGrowth(trials: readonly Trial[], kind: Quantity["kind"]): void {
  const [first, last] = [trials[0], trials.at(-1)];
  if (kind !== "count" || first === undefined || last?.verdict !== "passed") return;
  const isMuchHarder = last.value >= LEAST_GROWTH.times * first.value;
  if (!isMuchHarder || last.attemptsPerSecond >= LEAST_GROWTH.attempts * first.attemptsPerSecond) return;
  throw new LabError(
    "bad-options",
    `${last.value / first.value} times as many do not yield more events, so there is no limit to find`,
    {
      hint: "rates of traffic are those of a whole entry: vary the rate, or give a rate for each handset",
    },
  );
}

/** Whether a passed trial with a rate several times as high had hardly more attempts due. */
export function hasFlatLoad(trials: readonly Trial[]): boolean {
  const last = trials.at(-1);
  if (last?.verdict !== "passed") return false;
  return trials.some(
    ({ value, verdict, attemptsPerSecond }) =>
      verdict === "passed" &&
      last.value >= FLAT_TIMES * value &&
      last.attemptsPerSecond < LEAST_GROWTH.attempts * attemptsPerSecond,
  );
}
