import { closeSync, openSync, rmSync, statSync } from "node:fs";
import { Connection } from "../sqlite/connection.js";
import { asStoreError, storeError } from "../sqlite/errors.js";

/**
 * Locks a recording for this process: two writers would give out the same numbers. The lock is SQLite's exclusive
 * file lock on `PATH.lock`, so it ends with the process, even by a kill. Readers are not locked out.
 *
 * @returns releases the lock; may be called twice
 * @throws StoreError `recording-busy` where another process has the lock, `no-such-folder`, `not-writable`…
 */
export function lockRecording(path: string): () => void {
  const lock = `${path}.lock`;
  let database: Connection | undefined;
  try {
    closeSync(openSync(lock, "a"));
    const { ino } = statSync(lock);
    database = new Connection(lock, { timeout: 0 });
    database.exec("PRAGMA journal_mode = MEMORY"); // no journal file
    database.exec("BEGIN EXCLUSIVE");
    // Another process may have released its lock since `openSync`, and removed the file that was opened here.
    if (statSync(lock, { throwIfNoEntry: false })?.ino !== ino) throw storeError("recording-busy", path, "write");
  } catch (error) {
    database?.close();
    throw asStoreError(error, path, "write");
  }
  const held = database;
  return () => {
    if (!held.isOpen) return;
    rmSync(lock, { force: true });
    held.close();
  };
}
