import { LogJudge } from "../../exact/index.js";
import type { FailureCondition, FailureTerm } from "../../expect/index.js";
import type { MinimiseOptions } from "./options.js";

type Condition = MinimiseOptions["condition"];
type LogTerm = Extract<FailureTerm, { readonly kind: "reconcile" }>;

/** Whether a condition is about a file that all receivers would write, so that only one may run. */
export function sharesLog(condition: Condition): boolean {
  const term = termOf(condition);
  return term !== undefined && !term.file.includes("{port}");
}

/** Judges the receiver's log that a condition is about; undefined: it is about none. */
export function judgeOf(condition: Condition): LogJudge | undefined {
  const term = termOf(condition);
  if (term === undefined) return undefined;
  const { type } = condition as FailureCondition;
  return new LogJudge({ ...term, ...(type !== undefined && { types: [type] }) });
}

/** A condition with the columns of the log that the plays have shown. */
export function withLog(condition: FailureCondition, { log }: LogJudge): FailureCondition {
  const { columns, types } = log;
  const terms = condition.terms.map((term): FailureTerm =>
    term.kind === "reconcile" ? { ...term, columns, types } : term,
  );
  return { ...condition, terms };
}

function termOf(condition: Condition): LogTerm | undefined {
  return "auto" in condition ? undefined : condition.terms.find((term): term is LogTerm => term.kind === "reconcile");
}
