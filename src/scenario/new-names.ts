import { setFile } from "./sheet/diagnostic.js";
import type { ValueTree } from "./sheet/document.js";
import { nearest } from "./sheet/nearest.js";
import type { Problems } from "./sheet/problems.js";
import { isMap, type RawMap } from "./sheet/raw-value.js";

/** Reports groups and carriers that only `--set` names, if the name is probably a misspelling of one in the file. */
export function checkNewNames(tree: ValueTree, problems: Problems): void {
  for (const key of ["handsets", "people", "carriers"]) checkNamesOf(tree, key, problems);
}

/** Reports a name that only `--set` has, that is close to one of the file, and whose value is not complete. */
function checkNamesOf({ value, location }: ValueTree, key: string, problems: Problems): void {
  const groups = isMap(value) ? value[key] : undefined;
  const places = location.inner.get(key)?.inner;
  if (!isMap(groups) || places === undefined || !isMap(value)) return;
  const isNew = (name: string): boolean => places.get(name)?.key?.source.file === setFile;
  const names = Object.keys(groups);
  for (const name of names.filter(isNew)) {
    const group = groups[name];
    const close = nearest(
      name,
      names.filter((one) => !isNew(one)),
    );
    const span = places.get(name)?.key;
    if (close === undefined || span === undefined || !isMap(group) || isWhole(key, name, group, value)) continue;
    problems.add(span, { code: "bad-set", message: `'${key}' has no '${name}'`, hint: `did you mean '${close}'?` });
    problems.excuse([key, name]);
    Reflect.deleteProperty(groups, name);
  }
}

/** Whether the value is a new group (it has a phone or sender) or a new carrier (a group of handsets uses it). */
function isWhole(key: string, name: string, group: RawMap, scenario: RawMap): boolean {
  if (key !== "carriers") return ["phone", "sender"].some((one) => group[one] !== undefined);
  const handsets = scenario["handsets"];
  return isMap(handsets) && Object.values(handsets).some((one) => isMap(one) && one["carrier"] === name);
}
