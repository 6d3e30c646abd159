import { neededReferencesOf } from "../../../expression/index.js";
import type { LintedFlow } from "../linted-flow.js";
import type { PlacedTemplate } from "../placed-templates.js";

/** A path of the context without which a template fails. */
export interface NeededPath {
  readonly template: PlacedTemplate;
  readonly path: readonly string[];
}

/** The paths that templates of a flow need, in order. The author's guards (`default`, `if`) are taken into account. */
export function* neededPaths(flow: LintedFlow, roots: readonly string[]): Generator<NeededPath, void> {
  for (const template of flow.templates) {
    for (const path of neededReferencesOf(template.text, roots)) yield { template, path };
  }
}

/** A path as the author wrote it: legacy flows have other names. */
export function asWritten(path: readonly string[], { isMigrated }: LintedFlow): string {
  const text = path.join(".");
  if (!isMigrated) return `@${text}`;
  return `@${text
    .replace(/^results\b/, "flow")
    .replace(/^(child|parent)\.results\b/, "$1")
    .replace(/^((?:child|parent)\.)?fields\b/, "$1contact")}`;
}
