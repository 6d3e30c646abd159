import { readYaml, sourceOf } from "./sheet/document.js";
import { Problems } from "./sheet/problems.js";
import { scenarioLanguage } from "./language.js";
import { applySets } from "./sheet/set.js";
import { isList, isMap, type RawValue } from "./sheet/raw-value.js";

/** The value at a path of a scenario. */
export interface WrittenValue {
  /** The spelling of a scalar; absent where there is no value, a map or a list. */
  readonly text?: string;
  /** The longest prefix of the path that exists. */
  readonly known: readonly string[];
  /** The next steps from `known`: keys of a map, indexes of a list. */
  readonly keys: readonly string[];
}

/**
 * A value of a scenario in its original spelling, without checks.
 *
 * @param path - as in `--set`: `handsets.clinic.count`, `traffic.0.rate`
 * @param set - `PATH=VALUE` arguments that are applied first
 * @returns undefined if the text is not YAML; `parseScenario` reports why
 */
export function writtenValue(
  text: string,
  { path, set = [] }: { readonly path: string; readonly set?: readonly string[] },
): WrittenValue | undefined {
  const problems = new Problems();
  const tree = readYaml(sourceOf("", text), problems);
  if (tree === undefined) return undefined;
  let value: RawValue | undefined = applySets(tree, set, { problems, language: scenarioLanguage }).value;
  const known: string[] = [];
  for (const key of path.split(".")) {
    const next = inside(value, key);
    if (next === undefined) break;
    known.push(key);
    value = next;
  }
  const isWhole = known.length === path.split(".").length;
  return {
    text: isWhole && typeof value === "string" ? value : undefined,
    known,
    keys: isMap(value) ? Object.keys(value) : isList(value) ? value.map((_, place) => String(place)) : [],
  };
}

function inside(value: RawValue | undefined, key: string): RawValue | undefined {
  if (isList(value)) return value[Number(key)];
  return isMap(value) ? value[key] : undefined;
}
