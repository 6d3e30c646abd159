import type { Connection } from "../sqlite/connection.js";
import { asStoreError, storeError, type StoreError } from "../sqlite/errors.js";
import { openChecked } from "./open-recording.js";

/** The latest instant of a `Date`, in milliseconds; every id and count of a recording is lower. */
const NUMBER_MAX = 8.64e15;

/** Columns with JSON, and the kind of JSON value that they hold. */
const jsonColumns: readonly (readonly [table: string, column: string, kind: "array" | "object"])[] = [
  ["channel", "pending", "array"],
  ["channel", "retry", "array"],
  ["channel", "forwards", "array"],
  ["contact", "urns", "array"],
  ["contact", "fields", "object"],
  ["attempt", "redirects", "array"],
  ["flow_call", "redirects", "array"],
  ["input", "json", "object"],
];

/** Queries for rows that no run writes; they apply to schema version 3 and later. */
const impossibleRows: readonly string[] = [
  "SELECT 1 FROM event WHERE at_ms < 0 OR number < 1 OR number > (SELECT count(*) FROM event) OR channel NOT IN (SELECT id FROM channel)",
  "SELECT 1 FROM attempt WHERE due_at_ms < 0 OR effect_at_ms < due_at_ms",
  "SELECT 1 FROM attempt WHERE (channel, number) NOT IN (SELECT channel, number FROM event)",
  "SELECT 1 FROM round_trip WHERE (channel, number) NOT IN (SELECT channel, number FROM event)",
  "SELECT 1 FROM input WHERE at_ms < 0",
  "SELECT 1 FROM note WHERE at_ms < 0",
];

/**
 * Checks a whole recording for changes by another program or a bad disk. It reads the whole file: use it to explain an
 * unexpected error.
 *
 * @returns `recording-damaged` or `recording-edited`, or why it cannot be opened; undefined for an intact recording
 */
export function findFault(path: string): StoreError | undefined {
  let database: Connection | undefined;
  try {
    database = openChecked(path);
    if (!isWhole(database)) return storeError("recording-damaged", path, "read");
    return hasImpossibleRows(database) ? storeError("recording-edited", path, "read") : undefined;
  } catch (error) {
    return asStoreError(error, path, "read") as StoreError;
  } finally {
    database?.close();
  }
}

/** SQLite's own check: pages, indexes, types and NOT NULL. */
function isWhole(database: Connection): boolean {
  return database.prepare<[], string>("PRAGMA integrity_check(1)", "value").get() === "ok";
}

function hasImpossibleRows(database: Connection): boolean {
  const isThere = (select: string): boolean => database.prepare(`${select} LIMIT 1`).get() !== undefined;
  const columns = database
    .prepare<[], [table: string, column: string, type: string]>(
      `SELECT schema.name, info.name, info.type FROM sqlite_schema AS schema, pragma_table_info(schema.name) AS info
        WHERE schema.type = 'table' AND schema.name NOT LIKE 'sqlite_%'`,
      "tuple",
    )
    .all();
  const has = (table: string, column: string): boolean => columns.some(([a, b]) => a === table && b === column);
  return (
    (has("round_trip", "row") && impossibleRows.some(isThere)) ||
    columns.some(
      ([table, name, type]) => (type === "INTEGER" || type === "REAL") && isThere(outOfRange(table, name)),
    ) ||
    jsonColumns.some(([table, name, kind]) => has(table, name) && isThere(notJson(table, name, kind)))
  );
}

function outOfRange(table: string, column: string): string {
  return `SELECT 1 FROM ${table} WHERE ${column} NOT BETWEEN ${-NUMBER_MAX} AND ${NUMBER_MAX}`;
}

function notJson(table: string, column: string, kind: string): string {
  const isKind = `CASE WHEN json_valid(${column}) THEN json_type(${column}) = '${kind}' ELSE 0 END`;
  return `SELECT 1 FROM ${table} WHERE ${column} IS NOT NULL AND NOT ${isKind}`;
}
