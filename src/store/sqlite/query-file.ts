import { Connection } from "./connection.js";

/** Runs a query on any SQLite file, read-only. @returns at most `most` + 1 rows, every value as text */
export function queryFile(path: string, sql: string, most: number): Record<string, string>[] {
  const database = new Connection(path, { readonly: true, fileMustExist: true });
  try {
    const limited = `SELECT * FROM (${sql.replace(/;\s*$/, "")}\n) LIMIT ${most + 1}`;
    const rows = database.prepare<[], Record<string, unknown>>(limited).all();
    return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, textOf(value)])));
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

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  return typeof value === "number" || typeof value === "bigint" ? String(value) : "";
}
