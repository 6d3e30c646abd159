import type { Cast, Selector } from "../world/index.js";
import { CastNames, type Kind } from "./cast-names.js";
import { readSelection } from "./fields/values/selector.js";
import type { Problem } from "./sheet/raw-value.js";

/** A selector resolved against a cast, or why it does not fit: a message to follow the value, and a hint. */
export type SelectedMembers =
  { readonly selector: Selector } | { readonly message: string; readonly hint: string | undefined };

/** Reads a selector such as `clinic/0..19` of handsets or people. */
export function selectMembers(text: string, kind: Kind, cast: Cast): SelectedMembers {
  const countOf = (groups: readonly { readonly name: string; readonly count: number }[]): Map<string, number> =>
    new Map(groups.map(({ name, count }) => [name, count]));
  const names = new CastNames({ handsets: countOf(cast.handsets), people: countOf(cast.people) }, new Set());
  const problems: Problem[] = [];
  const report = (problem: Problem): void => void problems.push(problem);
  const selection = readSelection()(text, report);
  const selector = selection === undefined ? undefined : names.resolveSelection(selection, kind, report);
  const [problem] = problems;
  if (selector !== undefined && problem === undefined) return { selector };
  const hint = typeof problem?.hint === "function" ? problem.hint() : problem?.hint;
  return { message: problem?.message ?? "must be a selector", hint };
}
