import type { Connection } from "./connection.js";

/** Settings of a connection that writes, each for a reason. */
export function tune(database: Connection): void {
  // Fewer, larger pages: a batch touches the last page of each table, and rows are short.
  database.exec("PRAGMA page_size = 8192");
  // No fsync: what a commit has written survives the process, as the operating system holds it.
  database.exec("PRAGMA synchronous = OFF");
  // 32 MiB, enough for the pages whose messages still change their status.
  database.exec("PRAGMA cache_size = -32768");
  // About 32 MiB of WAL before its pages go to their places: a page that changes in many batches is moved once. A writer
  // in a thread of its own has mostly found time for it before.
  database.exec("PRAGMA wal_autocheckpoint = 4096");
}
