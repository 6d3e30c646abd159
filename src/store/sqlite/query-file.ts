import { Connection } from "./connection.js";

/** The rows of a query, one more than `most` where there are more, on somebody else's SQLite file, every value as text. Nothing is written. */
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

/** The names of the tables of somebody else's SQLite file. */
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
