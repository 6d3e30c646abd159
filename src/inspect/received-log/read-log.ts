import { closeSync, openSync, readSync, statSync } from "node:fs";
import { CsvFault, csvRows, delimiterOf, LabError, type OnProgress } from "../../base/index.js";
import { type LogCell, ReceivedTable } from "../../report/index.js";
import { queryFile, tableNames } from "../../store/index.js";
import { fileChunks, linesOf } from "./file-chunks.js";
import type { ReceivedLog } from "./received-log.js";
import { hasRequests, readFieldRows } from "./read-field-rows.js";

/** Upper bound of rows, which are kept in memory. */
const ROWS_MAX = 1_000_000;

/** Rows between two reports of progress. */
const PROGRESS_ROWS = 1000;

/** How to read a log. */
export interface ReadLogOptions {
  /** SQL query; required for a SQLite file, refused for others. */
  readonly query: string | undefined;
  /** Of times that name none, in a log of requests. */
  readonly timezone?: string | undefined;
  /** Key file of the pseudonyms that the recording has: the log gets the same ones, and is read as an import reads it. */
  readonly key?: string | undefined;
  readonly onProgress: OnProgress | undefined;
}

/**
 * Reads a receiver's log: CSV with a header, JSON lines, a query on a SQLite file, or a log of requests. Its first bytes
 * show its format.
 *
 * @throws LabError `bad-options` if it has another format or too many rows; `not-read` if it cannot be read
 */
export async function readLog(path: string, options: ReadLogOptions): Promise<ReceivedLog> {
  const { query, timezone, key, onProgress } = options;
  const { head, bytes } = headOf(path);
  // Only the import replaces numbers and texts, so it also reads a table.
  if (key !== undefined) return readFieldRows(path, { query, timezone, key, onProgress });
  if (head.startsWith("SQLite format 3\0")) return { table: readQuery(path, query, onProgress), warnings: [] };
  if (query !== undefined)
    throw badOption(`${path} is not a SQLite file, so --query does not apply`, "leave --query out");
  if (head.trim() === "") throw badOption(`${path} is empty`, "a log needs a header or one JSON object a line");
  if (hasRequests(head, path)) return readFieldRows(path, { timezone, onProgress });
  const first = head.trimStart()[0];
  if (first === "[") throw badOption(`${path} is one JSON list`, "write one object a line: jq -c '.[]' FILE");
  const chunks = fileChunks(path, (done) => onProgress?.({ operation: "reading the log", done, total: bytes }));
  return first === "{" ? { table: readLines(path, chunks), warnings: [] } : readCsv(path, { head, chunks });
}

function headOf(path: string): { readonly head: string; readonly bytes: number } {
  try {
    const stat = statSync(path);
    if (!stat.isFile()) throw badOption(`${path} is not a regular file`, "give a CSV, JSON lines or SQLite file");
    const file = openSync(path, "r");
    try {
      const bytes = Buffer.alloc(4096);
      const head = bytes.toString("utf8", 0, readSync(file, bytes, 0, bytes.length, 0)).replace(/^\uFEFF/, "");
      return { head, bytes: stat.size };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof LabError) throw error;
    throw new LabError("not-read", `${path} cannot be read`, { cause: error });
  }
}

function readQuery(path: string, query: string | undefined, onProgress: OnProgress | undefined): ReceivedTable {
  try {
    if (query === undefined) {
      const tables = tableNames(path);
      throw badOption(
        `${path} is a SQLite file: say what to read`,
        `--query "SELECT * FROM ${tables[0] ?? "texts"}" (its tables: ${tables.join(", ")})`,
      );
    }
    let table = new ReceivedTable();
    queryFile(path, query, {
      onColumns: (names) => (table = new ReceivedTable(names)),
      onRow(values) {
        table.addValues(values);
        requireFewRows(path, table);
        if (table.rowCount % PROGRESS_ROWS === 0) onProgress?.({ operation: "reading the log", done: 0, total: 0 });
      },
    });
    return table;
  } catch (error) {
    if (error instanceof LabError) throw error;
    throw new LabError("bad-options", `the query on ${path} fails`, { cause: error });
  }
}

function readLines(path: string, chunks: Iterable<string>): ReceivedTable {
  const table = new ReceivedTable();
  let number = 0;
  for (const line of linesOf(chunks)) {
    number++;
    if (line.trim() === "") continue;
    table.addNamed(flat(parseLine(line, path, number)));
    requireFewRows(path, table);
  }
  return table;
}

function parseLine(line: string, path: string, number: number): object {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Not JSON: the error is thrown below.
  }
  throw badOption(`${path}, line ${number}, is not a JSON object`, "write one object a line");
}

/** Flattens nested objects: their fields become columns unless a column of that name exists. */
function flat(value: object): Map<string, LogCell> {
  const row = new Map<string, LogCell>();
  const nested: object[] = [];
  for (const [name, inner] of Object.entries(value) as [string, unknown][]) {
    if (typeof inner === "object" && inner !== null && !Array.isArray(inner)) nested.push(inner);
    else row.set(name, typeof inner === "string" ? inner : inner === null ? undefined : JSON.stringify(inner));
  }
  for (const inner of nested) for (const [name, cell] of flat(inner)) if (!row.has(name)) row.set(name, cell);
  return row;
}

function readCsv(
  path: string,
  { head, chunks }: { readonly head: string; readonly chunks: Iterable<string> },
): ReceivedLog {
  let table: ReceivedTable | undefined;
  let columnCount = 0;
  let longRow: number | undefined;
  try {
    for (const row of csvRows(chunks, delimiterOf(head))) {
      if (table === undefined) {
        requireHeader(path, row);
        table = new ReceivedTable(row);
        columnCount = row.length;
        continue;
      }
      table.addValues(row);
      if (row.length > columnCount) longRow ??= table.rowCount;
      requireFewRows(path, table);
    }
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error;
    const place = error.row === 0 ? "its header" : `row ${error.row}`;
    throw badOption(`${path} is not valid CSV: in ${place}, ${error.message}`, "write a quote within quotes twice");
  }
  const warnings =
    longRow === undefined ? [] : [`row ${longRow} has more values than the header: is a delimiter not quoted?`];
  return { table: table ?? new ReceivedTable(), warnings };
}

/** Rejects a file without a header: its first row contains values (an event's id, a phone, or a time). */
function requireHeader(path: string, names: readonly string[]): void {
  const value = names.find((name) => /^(?:\d+\/\d+|\+?\d{6,}|\d{4}-\d\d-\d\d[T ].*)$/.test(name.trim()));
  if (value === undefined) return;
  throw badOption(
    `${path} has no header: its first line has '${value}'`,
    "name the columns in the first line, such as phone,text,time",
  );
}

function requireFewRows(path: string, { rowCount }: ReceivedTable): void {
  if (rowCount > ROWS_MAX) throw badOption(`${path} has more than ${ROWS_MAX} rows`, "reconcile it in parts");
}

function badOption(message: string, hint: string): LabError {
  return new LabError("bad-options", message, { hint });
}
