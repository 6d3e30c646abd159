import { LabError } from "../base/index.js";
import { metricOf, staysBroken } from "../measure/index.js";
import type { MetricExpectation } from "../scenario/index.js";

/**
 * Rejects bounds that need wall time, which lockstep ignores: windows, rates and lateness would measure this machine.
 *
 * @throws LabError `bad-options`
 */
export function refuseWallTime(expectations: readonly MetricExpectation[]): void {
  for (const { text, metric, overMs, fromMs } of expectations) {
    if (metricOf(metric)?.source.kind === "span" && metricOf(metric)?.needsWallTime === true) {
      throw new LabError("bad-options", `'${text}' is about the schedule of a paced run, and lockstep keeps none`, {
        hint: "play it with --pace 1x, or without that expectation",
      });
    }
    if (overMs === undefined && fromMs === undefined && metricOf(metric)?.unit !== "rate") continue;
    throw new LabError("bad-options", `'${text}' is about wall time, which lockstep does not go by`, {
      hint: "play it with --pace 1x, or without that expectation",
    });
  }
}

/**
 * Rejects bounds on lateness: at `max` an attempt is due when it is made.
 *
 * @throws LabError `bad-options`
 */
export function refuseLateness(expectations: readonly MetricExpectation[]): void {
  for (const { text } of expectations.filter(isAboutLateness)) {
    throw new LabError("bad-options", `'${text}' is about the schedule of a paced run, and max keeps none`, {
      hint: "play it with --pace 1x, or without that expectation",
    });
  }
}

/** Whether an expectation is about `lateness.*`, which is measured in paced runs only. */
export function isAboutLateness({ metric }: MetricExpectation): boolean {
  const source = metricOf(metric)?.source;
  return source?.kind === "span" && source.family === "lateness";
}

/** The expectation with `abort`, if it can be judged before the end; else unchanged. */
export function abortIfPossible(expectation: MetricExpectation): MetricExpectation {
  const { metric: name, op, overMs, fromMs } = expectation;
  const metric = metricOf(name);
  const isWhole = overMs === undefined && fromMs === undefined;
  const canAbort = metric !== undefined && (overMs !== undefined || (isWhole && staysBroken(metric, op)));
  return canAbort ? { ...expectation, abort: true } : expectation;
}
