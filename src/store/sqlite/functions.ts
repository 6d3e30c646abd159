import type { Connection } from "./connection.js";

/** Registers the SQL functions that queries use; call it for every connection. */
export function addFunctions(database: Connection): void {
  database.addFunction("fold", (text) => (typeof text === "string" ? fold(text) : null));
}

/**
 * Normalises a name for comparison without case. SQLite's lower() and NOCASE know A to Z only; names are in every
 * script.
 */
export function fold(text: string): string {
  return text.normalize("NFC").toLowerCase();
}
