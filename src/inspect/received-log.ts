import { closeSync, createReadStream, openSync, readSync, statSync } from "node:fs";
import { createInterface } from "node:readline";
import { parse } from "csv-parse";
import { LabError } from "../base/index.js";
import { queryFile, tableNames } from "../store/index.js";

/** Upper bound of rows, which are kept in memory. */
export const ROWS_MAX = 1_000_000;

type Row = Record<string, string>;

/**
 * Reads a receiver's log: CSV with a header, JSON lines, or a query on a SQLite file. Its first bytes show its format.
 *
 * @throws LabError `bad-options` if it has another format or too many rows; `not-read` if it cannot be read
 */
export async function readLog(path: string, query: string | undefined): Promise<Row[]> {
  const head = headOf(path);
  if (head.startsWith("SQLite format 3\0")) return readTable(path, query);
  if (query !== undefined)
    throw badOption(`${path} is not a SQLite file, so --query does not apply`, "leave --query out");
  if (head.trim() === "") throw badOption(`${path} is empty`, "a log needs a header or one JSON object a line");
  const first = head.trimStart()[0];
  if (first === "[") throw badOption(`${path} is one JSON list`, "write one object a line: jq -c '.[]' FILE");
  return first === "{" ? readLines(path) : readCsv(path, head);
}

function headOf(path: string): string {
  try {
    if (!statSync(path).isFile())
      throw badOption(`${path} is not a regular file`, "give a CSV, JSON lines or SQLite file");
    const file = openSync(path, "r");
    try {
      const bytes = Buffer.alloc(4096);
      return bytes.toString("utf8", 0, readSync(file, bytes, 0, bytes.length, 0)).replace(/^\uFEFF/, "");
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof LabError) throw error;
    throw new LabError("not-read", `${path} cannot be read`, { cause: error });
  }
}

function readTable(path: string, query: string | undefined): Row[] {
  try {
    if (query === undefined) {
      const tables = tableNames(path);
      throw badOption(
        `${path} is a SQLite file: say what to read`,
        `--query "SELECT * FROM ${tables[0] ?? "texts"}" (its tables: ${tables.join(", ")})`,
      );
    }
    return limited(path, queryFile(path, query, ROWS_MAX));
  } catch (error) {
    if (error instanceof LabError) throw error;
    throw new LabError("bad-options", `the query on ${path} fails`, { cause: error });
  }
}

async function readLines(path: string): Promise<Row[]> {
  const rows: Row[] = [];
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    number++;
    if (line.trim() === "") continue;
    rows.push(flat(parseLine(line, path, number)));
    limited(path, rows);
  }
  return rows;
}

function parseLine(line: string, path: string, number: number): object {
  try {
    const value: unknown = JSON.parse(line.replace(/^\uFEFF/, ""));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // The error is thrown below.
  }
  throw badOption(`${path}, line ${number}, is not a JSON object`, "write one object a line");
}

/** Flattens nested objects: their fields become columns unless a column of that name exists. */
function flat(value: object): Row {
  const row: Row = {};
  for (const [name, inner] of Object.entries(value) as [string, unknown][]) {
    if (typeof inner === "object" && inner !== null && !Array.isArray(inner)) {
      for (const [key, text] of Object.entries(flat(inner))) row[key] ??= text;
    } else row[name] = typeof inner === "string" ? inner : inner === null ? "" : JSON.stringify(inner);
  }
  return row;
}

async function readCsv(path: string, head: string): Promise<Row[]> {
  const [header = ""] = head.split(/\r?\n/);
  const delimiter = [",", ";", "\t"].toSorted((a, b) => header.split(b).length - header.split(a).length)[0];
  const parser = parse({
    columns: true,
    bom: true,
    skip_empty_lines: true,
    relax_column_count: true,
    delimiter: delimiter ?? ",",
  });
  const rows: Row[] = [];
  try {
    for await (const row of createReadStream(path).pipe(parser)) {
      rows.push(row as Row);
      limited(path, rows);
    }
  } catch (error) {
    if (error instanceof LabError) throw error;
    throw new LabError("bad-options", `${path} is not valid CSV`, { cause: error });
  }
  return rows;
}

function limited(path: string, rows: Row[]): Row[] {
  if (rows.length <= ROWS_MAX) return rows;
  throw badOption(`${path} has more than ${ROWS_MAX} rows`, "reconcile it in parts");
}

function badOption(message: string, hint: string): LabError {
  return new LabError("bad-options", message, { hint });
}
