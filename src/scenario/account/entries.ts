import type { DocumentReader } from "../sheet/document-reader.js";
import { isList, isMap, type Path, describeValue } from "../sheet/raw-value.js";

/** The items of a part: of a list, or of a map whose keys are their names. */
export interface Entry {
  readonly path: Path;
  /** The entry's key; absent for an item of a list. */
  readonly name?: string;
}

/** The items of the list at a path; empty if there is no list. */
export function listEntries(reader: DocumentReader, path: Path): Entry[] {
  return entriesOf(reader, path, { list: true });
}

/** The items of the map at a path, with their keys; empty if there is no map. */
export function mapEntries(reader: DocumentReader, path: Path): Required<Entry>[] {
  return entriesOf(reader, path, { map: true }).map(({ path: at, name = "" }) => ({ path: at, name }));
}

/** The items of a list, or of a map. */
export function entries(reader: DocumentReader, path: Path): Entry[] {
  return entriesOf(reader, path, { list: true, map: true });
}

function entriesOf(
  reader: DocumentReader,
  path: Path,
  allowed: { readonly list?: true; readonly map?: true },
): Entry[] {
  const written = reader.at(path);
  if (written === undefined || written === null) return [];
  if (allowed.list === true && isList(written)) return written.map((_, place) => ({ path: [...path, place] }));
  if (allowed.map === true && isMap(written))
    return Object.keys(written).map((name) => ({ path: [...path, name], name }));
  const wanted = [allowed.list === true ? "a list" : "", allowed.map === true ? "a map" : ""].filter(
    (one) => one !== "",
  );
  reader.reportProblem(path, {
    code: "wrong-type",
    message: `must be ${wanted.join(" or ")}, got ${describeValue(written)}`,
    hint: allowed.list === true ? "begin each entry with '- '" : "write name: …",
  });
  return [];
}
