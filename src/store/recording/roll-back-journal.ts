import { existsSync } from "node:fs";
import { Connection } from "../sqlite/connection.js";
import { asStoreError } from "../sqlite/errors.js";

/**
 * Rolls back the transaction of a process that was killed before the file was in WAL mode. A read-only connection
 * cannot do that: it fails with SQLITE_READONLY_ROLLBACK. Afterwards a file that was being created is empty.
 *
 * The transaction of a live process is not touched.
 *
 * @throws StoreError
 */
export function rollBackJournal(path: string): void {
  if (!existsSync(path) || !existsSync(`${path}-journal`)) return;
  try {
    const database = new Connection(path, { fileMustExist: true });
    // The first read of a writable connection applies the journal.
    database.setting("application_id");
    database.close();
  } catch (error) {
    throw asStoreError(error, path, "read");
  }
}
