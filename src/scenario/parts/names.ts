import type { Sheet } from "../sheet.js";
import { namePattern } from "../values/selector.js";
import { isMap, type Path, shown } from "../written.js";

const nameForm = new RegExp(`^${namePattern}$`);

/** The names in a map of groups at the top of a scenario; none where it is left out or is no map. */
export function groupMap(sheet: Sheet, key: string): string[] {
  const written = sheet.at([key]);
  if (written !== undefined && written !== null && !isMap(written)) {
    sheet.tell([key], {
      code: "wrong-type",
      message: `must be a map of names, got ${shown(written)}`,
      hint: "write name: { … }",
    });
  }
  return sheet.keys([key]);
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
    ...(cleaned !== "" && { hint: `write ${cleaned}` }),
  });
}
