import type { ExpectationResult } from "../measure/index.js";
import type { FieldFailure } from "../scenario/index.js";

/**
 * The results of a scenario's expectations, judged by the control of its key `field`: if the receiver does not do what
 * the control needs, expectations on what people hear, and on unanswered texts, say nothing about it.
 */
export function judgedByControl(
  results: readonly ExpectationResult[],
  field: FieldFailure | undefined,
): readonly ExpectationResult[] {
  const { control, right = [] } = field ?? {};
  if (control === undefined || isControlMet(results, control)) return results;
  const seen = `untested: needs a receiver that ${control.needs}`;
  return results.map((result) => {
    const isControl = result.text === control.text;
    const needsControl = right.includes(result.text) && (result.metric?.name ?? "unanswered") === "unanswered";
    return isControl || (needsControl && !result.held) ? { ...result, held: true, seen } : result;
  });
}

function isControlMet(results: readonly ExpectationResult[], { text }: { readonly text: string }): boolean {
  return results.some((result) => result.text === text && result.held);
}
