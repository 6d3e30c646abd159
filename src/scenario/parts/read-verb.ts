import { type CastNames, selectorKeys } from "../cast-names.js";
import type { StoryInput } from "../scenario.js";
import type { Sheet } from "../sheet/sheet.js";
import type { StepContext, Verb } from "../verbs/verb.js";
import { isList, isMap, type Path, type Problem, type Tell, type Written } from "../sheet/written.js";

/**
 * Reads the arguments of a verb, in a story or by hand; undefined when they do not fit, and the problems say why.
 *
 * @param options - `outer`: the keys of the map around the arguments, which may have slipped into them; `look`: gets the
 *   arguments as they were read, before anything is made of them
 */
export function readVerb(
  sheet: Sheet,
  path: Path,
  options: {
    readonly verb: Pick<Verb, "args" | "toInput">;
    readonly names: CastNames;
    readonly outer?: readonly string[];
    readonly look?: (args: unknown) => void;
  },
): StoryInput | undefined {
  const { verb, names, outer = [], look } = options;
  const args = sheet.read(verb.args, path, outer);
  look?.(args);
  if (args !== undefined) return verb.toInput(args, stepContext(sheet, path, names));
  for (const key of selectorKeys) {
    names.glance(sheet.at([...path, key]), (problem) => sheet.tell([...path, key], problem));
  }
  return undefined;
}

function stepContext(sheet: Sheet, verbPath: Path, names: CastNames): StepContext {
  const tellAt =
    (path: Path): Tell =>
    (problem: Problem) =>
      sheet.tell([...verbPath, ...path], problem);
  return {
    handsets: (selection, ...path) => names.select(selection, "handsets", tellAt(path)),
    people: (selection, ...path) => names.select(selection, "people", tellAt(path)),
    choice: (choice, ...path) => ("phone" in choice ? choice : names.select(choice, "people", tellAt(path))),
    kindOf: (selection) => names.kindOf(selection.group),
    traffic: names.traffic,
    isWritten: (...path) => sheet.at([...verbPath, ...path]) !== undefined,
    tell: (path, problem) => tellAt(path)(problem),
    spelled: (...path) => spell(sheet.at([...verbPath, ...path])),
  };
}

/** A value on one line, as YAML writes it. */
export function spell(value: Written | undefined): string {
  if (value === undefined || value === null) return "";
  if (isList(value)) return `[${value.map(spell).join(", ")}]`;
  if (!isMap(value)) return value.replaceAll(/\s+/g, " ");
  return `{ ${Object.entries(value)
    .map(([key, item]) => `${key}: ${spell(item)}`)
    .join(", ")} }`;
}
