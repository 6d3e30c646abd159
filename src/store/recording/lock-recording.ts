import { closeSync, openSync, rmSync, statSync } from "node:fs";
import { Connection } from "../sqlite/connection.js";
import { asStoreError, storeError } from "../sqlite/errors.js";

/**
 * Holds a database for this process alone: two that write on in it would give out the same numbers. What is held is the
 * system's lock of a file beside it, `PATH.lock`, so that it ends with the process, however that ends. Readers are not
 * kept out.
 *
 * @returns lets go; may be called twice
 * @throws StoreError `recording-busy` where another holds it, `no-such-folder`, `not-writable`…
 */
export function lockRecording(path: string): () => void {
  const lock = `${path}.lock`;
  let database: Connection | undefined;
  try {
    closeSync(openSync(lock, "a"));
    const { ino } = statSync(lock);
    database = new Connection(lock, { timeout: 0 });
    database.exec("PRAGMA journal_mode = MEMORY"); // no second file beside it
    database.exec("BEGIN EXCLUSIVE");
    // Somebody may have let go in between, and with it has taken the file away that was opened here.
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
