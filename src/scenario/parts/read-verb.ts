import type { Selector } from "../../world/index.js";
import { type CastKind, type CastNames, selectorKeys } from "../cast-names.js";
import type { Selection } from "../fields/values/selector.js";
import type { StoryInput } from "../scenario.js";
import type { DocumentReader } from "../sheet/document-reader.js";
import { plainValueOf } from "../sheet/plain-value.js";
import { withVariations } from "../verbs/varying-arguments.js";
import type { StepContext, Verb } from "../verbs/verb.js";
import { isList, isMap, type Path, type Problem, type ReportProblem, type RawValue } from "../sheet/raw-value.js";

/**
 * Reads the arguments of a verb, in a story or by hand; undefined if they are invalid, which is then reported.
 *
 * @param options - `outer`: the keys of the map around the arguments, which may be misplaced inside them; `onArgs`:
 *   receives the parsed arguments before they become an input
 */
export function readVerb(
  reader: DocumentReader,
  path: Path,
  options: {
    readonly verb: Pick<Verb, "name" | "args" | "toInput">;
    readonly names: CastNames;
    readonly outer?: readonly string[];
    readonly onArgs?: (args: unknown) => void;
  },
): StoryInput | undefined {
  const { verb, names, outer = [], onArgs } = options;
  const args = reader.read(verb.args, path, outer);
  onArgs?.(args);
  if (args !== undefined) {
    return withVariations(
      verb.toInput(args, stepContext(reader, path, names, { isRepeated: verb.name !== "expect" })),
      reader.at(path),
      formatOnOneLine,
    );
  }
  for (const key of selectorKeys) {
    names.checkGroupExists(reader.at([...path, key]), (problem) => reader.reportProblem([...path, key], problem));
  }
  return undefined;
}

/** A step's context for its verb or its condition. @param options - `isRepeated`: see `CastNames.resolveSelection` */
export function stepContext(
  reader: DocumentReader,
  verbPath: Path,
  names: CastNames,
  { isRepeated = false }: { readonly isRepeated?: boolean } = {},
): StepContext {
  const resolve = (selection: Selection, kind: CastKind, path: Path): Selector =>
    names.resolveSelection(selection, kind, reportAt(path), { isRepeated });
  const reportAt =
    (path: Path): ReportProblem =>
    (problem: Problem) =>
      reader.reportProblem([...verbPath, ...path], problem);
  return {
    resolveHandsets: (selection, ...path) => resolve(selection, "handsets", path),
    resolvePlaced: (selection, ...path) => {
      names.checkHasPlace(selection, reportAt(path));
      return resolve(selection, "handsets", path);
    },
    resolvePeople: (selection, ...path) => resolve(selection, "people", path),
    resolveChoice: (choice, ...path) => ("phone" in choice ? choice : resolve(choice, "people", path)),
    resolveNumbered: (choice, ...path) => {
      if ("phone" in choice) return choice;
      names.checkHasNumber(choice, reportAt(path));
      return resolve(choice, "people", path);
    },
    kindOf: (selection) => names.kindOfSelection(selection),
    traffic: names.traffic,
    carriers: names.carriers,
    events: names.events,
    isWritten: (...path) => reader.at([...verbPath, ...path]) !== undefined,
    reportProblem: (path, problem) => reportAt(path)(problem),
    plainValueOf: (...path) => {
      const tree = reader.tree([...verbPath, ...path]);
      return tree && plainValueOf(tree);
    },
    spellingOf: (...path) => formatOnOneLine(reader.at([...verbPath, ...path])),
  };
}

/** A value as YAML on one line. */
export function formatOnOneLine(value: RawValue | undefined): string {
  if (value === undefined || value === null) return "";
  if (isList(value)) return `[${value.map(formatOnOneLine).join(", ")}]`;
  if (!isMap(value)) return value.replaceAll(/\s+/g, " ");
  return `{ ${Object.entries(value)
    .map(([key, item]) => `${key}: ${formatOnOneLine(item)}`)
    .join(", ")} }`;
}
