import type { Connection } from "./connection.js";

/** Tunes a connection for writing. */
export function tune(database: Connection): void {
  // Larger pages, so fewer of them: a commit touches the last page of each table, and rows are short.
  database.exec("PRAGMA page_size = 8192");
  // No fsync: the operating system holds a commit, so it survives a kill of the process.
  database.exec("PRAGMA synchronous = OFF");
  // 32 MiB: holds the pages with messages whose status still changes.
  database.exec("PRAGMA cache_size = -32768");
  // Checkpoint at about 32 MiB of WAL: a page that many commits change is copied once. The writer's thread mostly makes
  // a checkpoint before, while it is idle.
  database.exec("PRAGMA wal_autocheckpoint = 4096");
}
