import { setFile } from "./sheet/diagnostic.js";
import type { Tree } from "./sheet/document.js";
import { nearest } from "./sheet/nearest.js";
import type { Problems } from "./sheet/problems.js";
import { isMap, type WrittenMap } from "./sheet/written.js";

/** Reports groups and carriers that only `--set` names, where the name is most likely a misspelled one of the file. */
export function checkNewNames(tree: Tree, problems: Problems): void {
  for (const key of ["handsets", "people", "carriers"]) checkNamesOf(tree, key, problems);
}

/** A name that only `--set` knows, spelled nearly as one of the file, and too little to be a group: it was meant to be that one. */
function checkNamesOf({ value, place }: Tree, key: string, problems: Problems): void {
  const groups = isMap(value) ? value[key] : undefined;
  const places = place.inner.get(key)?.inner;
  if (!isMap(groups) || places === undefined || !isMap(value)) return;
  const isNew = (name: string): boolean => places.get(name)?.key?.source.file === setFile;
  const names = Object.keys(groups);
  for (const name of names.filter(isNew)) {
    const group = groups[name];
    const close = nearest(
      name,
      names.filter((one) => !isNew(one)),
    );
    const spot = places.get(name)?.key;
    if (close === undefined || spot === undefined || !isMap(group) || isWhole(key, name, group, value)) continue;
    problems.add(spot, { code: "bad-set", message: `'${key}' has no '${name}'`, hint: `did you mean '${close}'?` });
    problems.meant([key, name]);
    Reflect.deleteProperty(groups, name);
  }
}

/** Whether it is something of its own: a group has numbers, a carrier is somebody's. */
function isWhole(key: string, name: string, group: WrittenMap, scenario: WrittenMap): boolean {
  if (key !== "carriers") return ["phone", "sender"].some((one) => group[one] !== undefined);
  const handsets = scenario["handsets"];
  return isMap(handsets) && Object.values(handsets).some((one) => isMap(one) && one["carrier"] === name);
}
