import type { NamedReference } from "../named-reference.js";

/**
 * How serious a finding is. `error`: the flow does not do what it says. `warning`: probably a mistake. `info`: a matter
 * of cost or taste, or of what the account has.
 */
export type LintLevel = "error" | "warning" | "info";

/** All levels, the most serious first. */
export const lintLevels: readonly LintLevel[] = ["error", "warning", "info"];

/** What a rule says of a place in a flow. */
export interface Finding {
  readonly rule: string;
  readonly level: LintLevel;
  readonly flow: NamedReference;
  /** Null: the finding is about the whole flow. */
  readonly node: { readonly uuid: string; readonly title: string } | null;
  /** The place in the node as the editor shows it: `action 2`, `test 1`, `category Other`; empty: the node itself. */
  readonly at: string;
  /** Path in the JSON of the flow, such as `nodes[3].actions[0].text`; null for a migrated flow, whose JSON differs. */
  readonly path: string | null;
  /** What is wrong. */
  readonly text: string;
  /** How to fix it. */
  readonly fix: string;
}

/** A finding of one rule, before the linter adds rule and flow. */
export interface Problem {
  /** Undefined: the whole flow. */
  readonly node?: string;
  readonly at?: string;
  /** Path below the node, such as `actions[0].text`. */
  readonly path?: string;
  readonly text: string;
  readonly fix: string;
  /** Instead of the rule's own level, such as for what only an account can tell. */
  readonly level?: LintLevel;
}
