import type { Sheet } from "../sheet/sheet.js";
import { namePattern } from "../fields/values/selector.js";
import { isMap, type Path, shown } from "../sheet/written.js";

const nameForm = new RegExp(`^${namePattern}$`);

/**
 * The names in a map of groups at the top of a scenario; none where it is left out or is no map.
 *
 * @param keys - the keys of a group: where one of them stands in the place of a name, the name was forgotten
 */
export function groupMap(sheet: Sheet, key: string, keys: readonly string[]): string[] {
  const written = sheet.at([key]);
  if (written !== undefined && written !== null && !isMap(written)) {
    sheet.tell([key], {
      code: "wrong-type",
      message: `must be a map of names, got ${shown(written)}`,
      hint: "write name: { … }",
    });
  }
  const names = sheet.keys([key]);
  const strays = names.filter((name) => keys.includes(name) && !isMap(sheet.at([key, name])));
  const [stray] = strays;
  if (stray === undefined) return names;
  const empty = sheet.emptyBefore([key, stray]);
  if (empty !== undefined) sheet.explain([key, empty]);
  sheet.tell([key, stray], {
    code: "unknown-key",
    message: `'${stray}' is a key of a group, and a group needs a name`,
    whole: true,
    on: "key",
    hint: empty === undefined ? `write ${key}: { name: { ${stray}: … } }` : `indent it under '${empty}'`,
  });
  return names.filter((name) => !strays.includes(name));
}

/** A group's or carrier's name must be usable in a selector. */
export function checkName(sheet: Sheet, path: Path, noun: string): void {
  const name = String(path.at(-1));
  if (nameForm.test(name)) return;
  const cleaned = name
    .replaceAll(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/^[^A-Za-z]+/, "")
    .replace(/-+$/, "");
  sheet.tell(path, {
    code: "bad-name",
    message: `${shown(name)} cannot name a ${noun}: letters, digits, '-' and '_', a letter first`,
    whole: true,
    on: "key",
    hint: cleaned === "" ? undefined : `write ${cleaned}`,
  });
}
