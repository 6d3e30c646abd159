import { Connection } from "./connection.js";

/** Receives the result of a query, every value as text. */
export interface TextRows {
  /** Called once, before the rows. Names are unique. */
  readonly onColumns: (names: readonly string[]) => void;
  /** Values in the order of the columns; undefined for NULL. An exception ends the query. */
  readonly onRow: (values: (string | undefined)[]) => void;
}

/** Runs a query on any SQLite file, read-only. */
export function queryFile(path: string, sql: string, { onColumns, onRow }: TextRows): void {
  const database = new Connection(path, { readonly: true, fileMustExist: true });
  try {
    // As a subquery, the SQL can only be a query, and SQLite makes its column names unique.
    database.stream(`SELECT * FROM (${sql.replace(/;\s*$/, "")}\n)`, {
      onColumns,
      onRow: (values) => onRow(values.map(textOf)),
    });
  } finally {
    database.close();
  }
}

/** Names of the tables of any SQLite file. */
export function tableNames(path: string): string[] {
  const database = new Connection(path, { readonly: true, fileMustExist: true });
  try {
    return database.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'", "value").all();
  } finally {
    database.close();
  }
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  return typeof value === "number" || typeof value === "bigint" ? String(value) : undefined;
}
