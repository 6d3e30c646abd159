import type { Cast, PeopleChoice, Selector } from "../world/index.js";
import { CastNames, type CastKind } from "./cast-names.js";
import { readPeopleChoice, readSelection } from "./fields/values/selector.js";
import type { Problem, RawValue } from "./sheet/raw-value.js";

/** A selector resolved against a cast, or why it does not fit: a message that follows the value, and a hint. */
export type SelectedMembers =
  { readonly selector: Selector } | { readonly message: string; readonly hint: string | undefined };

/** People resolved against a cast, or why they do not fit. */
export type SelectedPeople =
  { readonly choice: PeopleChoice } | { readonly message: string; readonly hint: string | undefined };

/**
 * Reads a selector such as `clinic/0..19` of handsets or people.
 *
 * @param options - `isRepeated`: it is in a step, so a share may be drawn each time; the selector then selects all
 *   members, see `Draw`
 */
export function selectMembers(
  written: RawValue,
  kind: CastKind,
  cast: Cast,
  options: { readonly isRepeated?: boolean } = {},
): SelectedMembers {
  const problems: Problem[] = [];
  const report = (problem: Problem): void => void problems.push(problem);
  const selection = readSelection()(written, report);
  const selector = selection && namesOf(cast).resolveSelection(selection, kind, report, options);
  return selector !== undefined && problems.length === 0 ? { selector } : refusalOf(problems);
}

/** Reads a selector of people, or a phone number. */
export function selectPeople(text: string, cast: Cast): SelectedPeople {
  const problems: Problem[] = [];
  const report = (problem: Problem): void => void problems.push(problem);
  const read = readPeopleChoice()(text, report);
  if (read !== undefined && "phone" in read) return { choice: read };
  const choice = read === undefined ? undefined : namesOf(cast).resolveSelection(read, "people", report);
  return choice !== undefined && problems.length === 0 ? { choice } : refusalOf(problems);
}

function namesOf(cast: Cast): CastNames {
  const countOf = (groups: readonly { readonly name: string; readonly count: number }[]): Map<string, number> =>
    new Map(groups.map(({ name, count }) => [name, count]));
  return new CastNames({ handsets: countOf(cast.handsets), people: countOf(cast.people) }, new Set());
}

function refusalOf([problem]: readonly Problem[]): { readonly message: string; readonly hint: string | undefined } {
  const hint = typeof problem?.hint === "function" ? problem.hint() : problem?.hint;
  return { message: problem?.message ?? "must be a selector", hint };
}
