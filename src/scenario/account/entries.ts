import type { Sheet } from "../sheet/sheet.js";
import { isList, isMap, type Path, shown } from "../sheet/written.js";

/** The items of a part: of a list, or of a map whose keys are their names. */
export interface Entry {
  readonly path: Path;
  /** In a map. */
  readonly name?: string;
}

/** The items of a list; none where it is left out or is no list. */
export function listEntries(sheet: Sheet, path: Path): Entry[] {
  return entriesOf(sheet, path, { list: true });
}

/** The items of a map by their keys; none where it is left out or is no map. */
export function mapEntries(sheet: Sheet, path: Path): Required<Entry>[] {
  return entriesOf(sheet, path, { map: true }).map(({ path: at, name = "" }) => ({ path: at, name }));
}

/** The items of a list, or of a map. */
export function entries(sheet: Sheet, path: Path): Entry[] {
  return entriesOf(sheet, path, { list: true, map: true });
}

function entriesOf(sheet: Sheet, path: Path, allowed: { readonly list?: true; readonly map?: true }): Entry[] {
  const written = sheet.at(path);
  if (written === undefined || written === null) return [];
  if (allowed.list === true && isList(written)) return written.map((_, place) => ({ path: [...path, place] }));
  if (allowed.map === true && isMap(written))
    return Object.keys(written).map((name) => ({ path: [...path, name], name }));
  const wanted = [allowed.list === true ? "a list" : "", allowed.map === true ? "a map" : ""].filter(
    (one) => one !== "",
  );
  sheet.tell(path, {
    code: "wrong-type",
    message: `must be ${wanted.join(" or ")}, got ${shown(written)}`,
    hint: allowed.list === true ? "begin each entry with '- '" : "write name: …",
  });
  return [];
}
