import type { DocumentReader } from "../sheet/document-reader.js";
import { everyGroup, namePattern } from "../fields/values/selector.js";
import { isMap, type Path, describeValue } from "../sheet/raw-value.js";

const nameForm = new RegExp(`^${namePattern}$`);

/**
 * The names in a top-level map of groups; empty if there is no map.
 *
 * @param keys - the keys of a group: if one of them is in the place of a name, the name is missing
 */
export function readGroupNames(reader: DocumentReader, key: string, keys: readonly string[]): string[] {
  const written = reader.at([key]);
  if (written !== undefined && written !== null && !isMap(written)) {
    reader.reportProblem([key], {
      code: "wrong-type",
      message: `must be a map of names, got ${describeValue(written)}`,
      hint: "write name: { … }",
    });
  }
  const names = reader.keys([key]);
  const strays = names.filter((name) => keys.includes(name) && !isMap(reader.at([key, name])));
  const [stray] = strays;
  if (stray === undefined) return names;
  const empty = reader.emptyBefore([key, stray]);
  if (empty !== undefined) reader.excuseMissing([key, empty]);
  reader.reportProblem([key, stray], {
    code: "unknown-key",
    message: `'${stray}' is a key of a group, and a group needs a name`,
    whole: true,
    on: "key",
    hint: empty === undefined ? `write ${key}: { name: { ${stray}: … } }` : `indent it under '${empty}'`,
  });
  return names.filter((name) => !strays.includes(name));
}

/** A group's or carrier's name must be usable in a selector. */
export function checkName(reader: DocumentReader, path: Path, noun: string): void {
  const name = String(path.at(-1));
  if (name === everyGroup && path[0] !== "carriers") {
    reader.reportProblem(path, {
      code: "bad-name",
      message: `'${everyGroup}' cannot name a ${noun}: in a selector it is the word for every group`,
      whole: true,
      on: "key",
      hint: "give the group another name",
    });
    return;
  }
  if (nameForm.test(name)) return;
  const cleaned = name
    .replaceAll(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/^[^A-Za-z]+/, "")
    .replace(/-+$/, "");
  reader.reportProblem(path, {
    code: "bad-name",
    message: `${describeValue(name)} cannot name a ${noun}: letters, digits, '-' and '_', a letter first`,
    whole: true,
    on: "key",
    hint: cleaned === "" ? undefined : `write ${cleaned}`,
  });
}
