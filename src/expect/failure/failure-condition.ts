import type { CheckSpec, Pattern } from "../../scenario/index.js";

/** A comparison with a number, as a condition spells it: `=` stands for none. */
export type StatusOp = "==" | "!=" | "<" | "<=" | ">" | ">=";

/** One condition of a failure. The first six are about one answer, the others about the whole play. */
export type FailureTerm =
  | { readonly kind: "status"; readonly op: StatusOp; readonly status: number }
  /** No answer in time. */
  | { readonly kind: "timeout" }
  /** The connection ended before the answer was complete. */
  | { readonly kind: "closed" }
  /** The text of the reply, or an answer that is none, has a match. */
  | { readonly kind: "reply"; readonly pattern: Pattern; readonly matches: (text: string) => boolean }
  /** Accepted without a reply. */
  | { readonly kind: "no-reply" }
  /** A person is answered again about the same event. */
  | { readonly kind: "hears-twice" }
  /** An expectation or a bound is not met. */
  | { readonly kind: "broken"; readonly expectation: string }
  /** A check fails. */
  | { readonly kind: "check"; readonly check: CheckSpec }
  /** An accepted event is not in the receiver's own log, or is there twice. */
  | {
      readonly kind: "reconcile";
      readonly file: string;
      readonly query: string | undefined;
      /** Columns by role, `number=sms,phone=msisdn`, and compared types, once a play has shown them. */
      readonly columns?: string | undefined;
      readonly types?: readonly string[] | undefined;
    };

/** When an input counts as failing: all terms hold, those about an answer at the same event. */
export interface FailureCondition {
  /** As it was written; several texts are joined by " and ". */
  readonly text: string;
  readonly terms: readonly FailureTerm[];
  /** Only events of this type; absent: of each. */
  readonly type?: string | undefined;
}

/** Terms that one answer decides. */
export type AnswerTerm = Exclude<FailureTerm, { readonly kind: "broken" | "check" | "reconcile" }>;

/** Whether one answer decides a term. */
export function isAboutAnswer(term: FailureTerm): term is AnswerTerm {
  return term.kind !== "broken" && term.kind !== "check" && term.kind !== "reconcile";
}
