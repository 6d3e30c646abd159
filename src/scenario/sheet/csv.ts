import { parse } from "csv-parse/sync";
import { suggest } from "./nearest.js";
import type { Tree } from "./document.js";
import type { Language } from "./language.js";
import type { Problems } from "./problems.js";
import { findNoText } from "./yaml-faults.js";
import { isList, isMap, type Place, type Problem, shown, type Written, type WrittenMap } from "./written.js";

/** Gives the text of a file named in a scenario, by its path from the scenario's folder; throws when it cannot. */
export type ReadFile = (relativePath: string) => string;

/** Where CSV files come from, and the language of the file that names them. */
export interface CsvOptions {
  readonly readFile: ReadFile | undefined;
  readonly language: Language;
}

/**
 * Puts the values of its column in the place of each `{ csv: file, column: name }`, as a `pick`: from there on they are
 * checked like values that stand in the scenario itself. Where that fails a problem is told and the map stays.
 */
export function unfoldCsv({ value, place }: Tree, options: CsvOptions, problems: Problems): Written {
  if (isList(value)) return value.map((item, index) => unfoldCsv(child(item, place, index), options, problems));
  if (!isMap(value)) return value;
  const file = value["csv"];
  if (typeof file === "string") {
    const unfolded = pickFrom(file, value, place, options.readFile, problems);
    if (unfolded !== undefined) return unfolded;
  }
  const map = Object.create(null) as Record<string, Written>;
  for (const [key, item] of Object.entries(value)) {
    map[key] = options.language.dataMaps.has(key) ? item : unfoldCsv(child(item, place, key), options, problems);
  }
  return map;
}

function child(value: Written, place: Place, key: string | number): Tree {
  return { value, place: place.inner.get(String(key)) ?? place };
}

function pickFrom(
  file: string,
  map: WrittenMap,
  place: Place,
  readFile: ReadFile | undefined,
  problems: Problems,
): Written | undefined {
  if (Object.keys(map).some((key) => key !== "csv" && key !== "column")) return undefined;
  const tell = (key: "csv" | "column", problem: Problem): undefined => {
    problems.add((place.inner.get(key) ?? place).spot, problem);
  };
  const read = readTable(file, readFile);
  if ("code" in read) return tell("csv", read);
  const column = columnOf(read, map["column"]);
  if (typeof column !== "number") return tell("column", column);
  return picked(
    place,
    read.rows.map(({ cells }) => cells[column] ?? ""),
  );
}

/** A CSV file whose first line names the columns. */
export interface Table {
  readonly file: string;
  readonly text: string;
  readonly header: readonly string[];
  /** At least one; `line`: where it begins, from 1. */
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[];
}

/** Reads a CSV file that a scenario names. @param most - rows that are read; what follows is left */
export function readTable(file: string, readFile: ReadFile | undefined, most = 100_000): Table | Problem {
  if (readFile === undefined) {
    const hint = "list the values: { pick: [a, b] }";
    return { code: "bad-file", message: "files cannot be read here", hint };
  }
  let text: string;
  let records: readonly { readonly record: readonly string[]; readonly info: { readonly lines: number } }[];
  try {
    text = readFile(file);
  } catch (error) {
    const hint = "paths count from the folder of this file";
    return { code: "bad-file", message: `'${file}' cannot be read: ${firstLine(error)}`, hint };
  }
  if (findNoText(text) >= 0) {
    return { code: "bad-file", message: `'${file}' is not UTF-8 text`, hint: "save it as UTF-8" };
  }
  try {
    // The parser's types do not know of `info`.
    records = parse(text, {
      bom: true,
      skip_empty_lines: true,
      relax_column_count: true,
      to: most + 1,
      info: true,
    }) as unknown as typeof records;
  } catch (error) {
    return {
      code: "bad-file",
      message: `'${file}' is not well-formed CSV: ${firstLine(error)}`,
      hint: 'put values that contain commas, quotes or line breaks in quotes, and double the quotes in them: ""',
    };
  }
  const [header, ...rows] = records;
  if (header === undefined || rows.length === 0) {
    return { code: "bad-file", message: `'${file}' has no rows`, hint: "the first line names the columns" };
  }
  return {
    file,
    text,
    header: header.record,
    rows: rows.map(({ record, info }) => ({ line: info.lines - breaksIn(record), cells: record })),
  };
}

/** The place of a column by its name; of none the first. */
export function columnOf({ file, header }: Table, wanted: Written | undefined): number | Problem {
  const column = wanted === undefined ? 0 : header.findIndex((name) => name.trim() === wanted);
  if (column >= 0) return column;
  const hint = suggest(typeof wanted === "string" ? wanted : "", header);
  return { code: "bad-file", message: `'${file}' has no column ${shown(wanted)}`, hint };
}

function breaksIn(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + (cell.includes("\n") ? cell.split("\n").length - 1 : 0), 0);
}

function firstLine(error: unknown): string {
  return error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : "";
}

/** `{ pick: values }`, with all places those of the map that it replaces. */
function picked(place: Place, values: readonly string[]): WrittenMap {
  place.inner.set("pick", { spot: place.spot, inner: new Map() });
  const map = Object.create(null) as Record<string, Written>;
  map["pick"] = values;
  return map;
}
