import type { GotAnswer, SentRequest } from "./exchange.js";
import type { Severity } from "./trial.js";

/** A fault of the receiver, with its proof. */
export interface AuditFinding {
  readonly id: string;
  readonly severity: Severity;
  readonly title: string;
  /** What happened, in one sentence. */
  readonly seen: string;
  readonly sent: readonly SentRequest[];
  readonly got: readonly GotAnswer[];
  readonly why: string;
  /** The section of docs/reference with the failure that it comes from. */
  readonly field: string;
  /** The command that plays it alone. */
  readonly play: string;
}

/** `A` no finding, `B` low ones alone, `C` up to three medium ones, `D` more or one high one, `F` several high ones. */
export type AuditGrade = "A" | "B" | "C" | "D" | "F";

/** The outcome of an audit. */
export interface AuditResult {
  /** As it is shown: without secrets. */
  readonly url: string;
  readonly grade: AuditGrade;
  readonly passed: number;
  readonly failed: number;
  /** Trials that were not played or not decided, each with why. */
  readonly untested: readonly { readonly id: string; readonly why: string }[];
  /** What the application decides for itself. */
  readonly observed: readonly { readonly id: string; readonly text: string }[];
  /** At most the budget. */
  readonly requests: number;
  /** Requests of the bursts of trials of load, which the budget does not count. */
  readonly burstRequests: number;
  readonly seconds: number;
  readonly findings: readonly AuditFinding[];
  /** Ids of the trials that passed. */
  readonly passedIds: readonly string[];
  /** Words on which the receiver acts, with how they became known. Absent: ordinary texts show, or none is known. */
  readonly words?: readonly string[];
}

/** The grade of some findings. */
export function gradeOf(findings: readonly Pick<AuditFinding, "severity">[]): AuditGrade {
  const count = (severity: Severity): number => findings.filter((one) => one.severity === severity).length;
  if (count("high") > 1) return "F";
  if (count("high") === 1 || count("medium") > 3) return "D";
  if (count("medium") > 0) return "C";
  return findings.length > 0 ? "B" : "A";
}
