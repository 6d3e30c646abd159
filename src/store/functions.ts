import type { Database } from "better-sqlite3";

/** Functions of ours that queries use; every connection gets them. */
export function addFunctions(database: Database): void {
  // SQLite's own lower() and NOCASE know A to Z only; names are in every script.
  database.function("fold", { deterministic: true }, (text: unknown) =>
    typeof text === "string" ? text.normalize("NFC").toLowerCase() : null,
  );
}
