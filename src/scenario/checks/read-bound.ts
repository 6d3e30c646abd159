import { metricField } from "../parts/metrics.js";
import type { MetricExpectation } from "../scenario.js";
import type { Problem } from "../sheet/raw-value.js";

/** A bound on a metric that was read from a text, or why it is none: a message that follows the text. */
export interface ReadBound {
  readonly bound?: MetricExpectation;
  readonly problem?: { readonly message: string; readonly hint?: string | undefined };
}

/** Reads a bound by itself, as an option has it: `failures == 0`, `never-twice`. */
export function readBound(text: string): ReadBound {
  const read = metricField.safeParse(text);
  if (read.success) return { bound: read.data };
  const [issue] = read.error.issues;
  const { problem } = (issue !== undefined && "params" in issue ? issue.params : {}) as { readonly problem?: Problem };
  const hint = typeof problem?.hint === "function" ? problem.hint() : problem?.hint;
  return { problem: { message: issue?.message ?? "cannot be understood", hint } };
}
