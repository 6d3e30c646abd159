import type { Connection } from "./connection.js";

/** Functions of ours that queries use; every connection gets them. */
export function addFunctions(database: Connection): void {
  database.addFunction("fold", (text) => (typeof text === "string" ? fold(text) : null));
}

/** Names are the same when they fold to the same. SQLite's own lower() and NOCASE know A to Z only; names are in every script. */
export function fold(text: string): string {
  return text.normalize("NFC").toLowerCase();
}
