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
export function asWritten({ template, path }: NeededPath, flow: LintedFlow): string {
  return flow.asWritten(template.node, `@${path.join(".")}`);
}

/**
 * How to fix a path that is the end of a mail address, as in `ann@contact.org`; undefined: it is none.
 *
 * @param written - the path without its `@`
 */
export function addressFix(text: string, written: string): string | undefined {
  const at = text.indexOf(`@${written}`);
  if (at < 1 || !/[\w.+-]/u.test(text[at - 1] ?? "")) return undefined;
  return `if it is an email address, write it with two @: @@${written}`;
}
