import type { Exchange } from "./exchange.js";
import type { AuditContext } from "./context.js";

/** How much harm a fault does. `high`: events or people are lost, or get something twice. */
export type Severity = "high" | "medium" | "low";

/** What a trial has proven against the receiver. */
export interface Fault {
  /** What happened, in one sentence; completes the trial's title. */
  readonly seen: string;
  readonly exchanges: readonly Exchange[];
  /** Default: that of the trial. */
  readonly severity?: Severity;
}

/** The outcome of a trial. */
export type Outcome =
  | { readonly kind: "passed" }
  | { readonly kind: "fault"; readonly fault: Fault }
  /** What the application decides for itself. */
  | { readonly kind: "observed"; readonly text: string }
  | { readonly kind: "untested"; readonly why: string };

/** One trial of the contract. It uses persons and ids of its own. */
export interface AuditTrial {
  /** Lower case, with hyphens. */
  readonly id: string;
  /** What it proves, as a heading of a finding: names the fault. */
  readonly title: string;
  readonly severity: Severity;
  /** Why the fault matters, in one or two sentences. */
  readonly why: string;
  /** The section of docs/reference with the failure that it comes from. */
  readonly field: string;
  /** What it sends and how it judges, for docs/audit.md: one sentence. */
  readonly about: string;
  /** Whether it must run alone, as it looks at counts of the whole receiver or at its speed. */
  readonly isAlone?: true;
  run(context: AuditContext): Promise<Outcome>;
}

export const passed: Outcome = { kind: "passed" };

export function fault(seen: string, exchanges: readonly Exchange[], severity?: Severity): Outcome {
  return { kind: "fault", fault: { seen, exchanges, ...(severity !== undefined && { severity }) } };
}

export function observed(text: string): Outcome {
  return { kind: "observed", text };
}

export function untested(why: string): Outcome {
  return { kind: "untested", why };
}
