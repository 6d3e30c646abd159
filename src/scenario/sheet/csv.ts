import { parse } from "csv-parse/sync";
import { suggest } from "./nearest.js";
import type { ValueTree } from "./document.js";
import type { Language } from "./language.js";
import type { Problems } from "./problems.js";
import { findNoText } from "./yaml-faults.js";
import { isList, isMap, type Location, type Problem, describeValue, type RawValue, type RawMap } from "./raw-value.js";

/** Reads the text of a file by its path from the scenario's folder; throws when it cannot. */
export type ReadFile = (relativePath: string) => string;

/** The reader of CSV files, and the language of the file that names them. */
export interface CsvOptions {
  readonly readFile: ReadFile | undefined;
  readonly language: Language;
}

/**
 * Replaces each `{ csv: file, column: name }` by a `pick` of the column's values, which are then checked like values of
 * the file itself. If that fails, it reports a problem and keeps the map.
 */
export function expandCsv({ value, location }: ValueTree, options: CsvOptions, problems: Problems): RawValue {
  if (isList(value)) return value.map((item, index) => expandCsv(child(item, location, index), options, problems));
  if (!isMap(value)) return value;
  const file = value["csv"];
  if (typeof file === "string") {
    const expanded = readPick(file, value, location, options.readFile, problems);
    if (expanded !== undefined) return expanded;
  }
  const map = Object.create(null) as Record<string, RawValue>;
  for (const [key, item] of Object.entries(value)) {
    map[key] = options.language.dataMaps.has(key) ? item : expandCsv(child(item, location, key), options, problems);
  }
  return map;
}

function child(value: RawValue, location: Location, key: string | number): ValueTree {
  return { value, location: location.inner.get(String(key)) ?? location };
}

function readPick(
  file: string,
  map: RawMap,
  location: Location,
  readFile: ReadFile | undefined,
  problems: Problems,
): RawValue | undefined {
  if (Object.keys(map).some((key) => key !== "csv" && key !== "column")) return undefined;
  const report = (key: "csv" | "column", problem: Problem): undefined => {
    problems.add((location.inner.get(key) ?? location).span, problem);
  };
  const read = readTable(file, readFile);
  if ("code" in read) return report("csv", read);
  const column = columnOf(read, map["column"]);
  if (typeof column !== "number") return report("column", column);
  return pickOfValues(
    location,
    read.rows.map(({ cells }) => cells[column] ?? ""),
  );
}

/** A CSV file whose first line names the columns. */
export interface Table {
  readonly file: string;
  readonly text: string;
  readonly header: readonly string[];
  /** At least one; `line`: of its beginning, from 1. */
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[];
}

/** Reads a CSV file that a scenario names. @param most - rows that are read; later rows are ignored */
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
    // The parser's types lack `info`.
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

/** The index of a column by its name; without a name the first. */
export function columnOf({ file, header }: Table, wanted: RawValue | undefined): number | Problem {
  const column = wanted === undefined ? 0 : header.findIndex((name) => name.trim() === wanted);
  if (column >= 0) return column;
  const hint = suggest(typeof wanted === "string" ? wanted : "", header);
  return { code: "bad-file", message: `'${file}' has no column ${describeValue(wanted)}`, hint };
}

function breaksIn(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + (cell.includes("\n") ? cell.split("\n").length - 1 : 0), 0);
}

function firstLine(error: unknown): string {
  return error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : "";
}

/** `{ pick: values }`, located at the map that it replaces. */
function pickOfValues(location: Location, values: readonly string[]): RawMap {
  location.inner.set("pick", { span: location.span, inner: new Map() });
  const map = Object.create(null) as Record<string, RawValue>;
  map["pick"] = values;
  return map;
}
