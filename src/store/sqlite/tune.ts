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

/** Whether an index exists: recordings of runs that have not ended lack some. */
export function hasIndex(database: Connection, name: string): boolean {
  return database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ?").get(name) !== undefined;
}

/**
 * Creates indexes with sorters of up to 256 MiB. A smaller sorter writes its runs to a temporary
 * file: the indexes of a million events took 10.9 s instead of 3.9 s where the disk was busy (3.2 s of CPU both).
 */
export function createIndexes(database: Connection, indexes: string): void {
  const cacheSize = Number(database.setting("cache_size"));
  database.exec("PRAGMA cache_size = -262144");
  try {
    database.exec(indexes);
  } finally {
    database.exec(`PRAGMA cache_size = ${cacheSize}`);
  }
}
