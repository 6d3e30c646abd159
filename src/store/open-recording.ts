import { statSync } from "node:fs";
import { Connection } from "./connection.js";
import { asStoreError, storeError } from "./errors.js";
import { openInMemory } from "./in-memory.js";
import { APPLICATION_ID, migrate, SCHEMA_VERSION } from "./migrations/index.js";
import { RecordingReader } from "./reader.js";

/**
 * Opens a recording for reading: a finished one, one that another process is writing, or one that was cut off.
 * Close it after use.
 *
 * @throws StoreError `no-such-recording`, `not-a-recording`, `newer-recording`, `not-readable`, `recording-damaged`…
 */
export function openRecording(path: string): RecordingReader {
  let database: Connection | undefined;
  try {
    if (statSync(path).isDirectory()) throw storeError("is-a-folder", path, "read");
    database = new Connection(path, { readonly: true, fileMustExist: true });
    checkMark(database, path);
    database = upToDate(database);
    return new RecordingReader({ database, path, isShared: false });
  } catch (error) {
    database?.close();
    throw asStoreError(error, path, "read");
  }
}

function checkMark(database: Connection, path: string): void {
  if (database.setting("application_id") !== APPLICATION_ID) {
    throw storeError("not-a-recording", path, "read");
  }
  if (Number(database.setting("user_version")) > SCHEMA_VERSION) {
    throw storeError("newer-recording", path, "read");
  }
}

/** A recording of an older version is read from a copy in memory that has the tables of this one. */
function upToDate(database: Connection): Connection {
  if (Number(database.setting("user_version")) === SCHEMA_VERSION) return database;
  const copy = openInMemory(database.serialize());
  database.close();
  migrate(copy);
  return copy;
}
