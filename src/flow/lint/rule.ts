import type { LintLevel, Problem } from "./finding.js";
import type { LintedFlow } from "./linted-flow.js";

/** A rule of the linter: a file of `rules/`, listed in `rules/index.ts`. */
export interface LintRule {
  /** Lower case with hyphens; names the rule in options and output. */
  readonly name: string;
  readonly level: LintLevel;
  /** What it finds, for the list of rules: a phrase without a full stop. */
  readonly summary: string;
  /** It judges names and functions of templates: in flows of another service of the family its findings are info. */
  readonly isOfService?: true;
  /** Finds all problems of one flow, in the order of its nodes. */
  check(flow: LintedFlow): Iterable<Problem>;
}
