import { statSync } from "node:fs";
import { checkRecording } from "./check-recording.js";
import { Connection } from "../sqlite/connection.js";
import { asStoreError, storeError } from "../sqlite/errors.js";
import { openInMemory } from "../sqlite/in-memory.js";
import { migrate, SCHEMA_VERSION } from "../sqlite/migrations/index.js";
import { RecordingReader } from "../reading/reader.js";

/**
 * Opens a recording for reading: a finished one, one that another process is writing, or one that was cut off.
 * Close it after use.
 *
 * @throws StoreError `no-such-recording`, `not-a-recording`, `newer-recording`, `not-readable`, `recording-damaged`…
 */
export function openRecording(path: string): RecordingReader {
  let database: Connection | undefined;
  try {
    database = withTodaysTables(openChecked(path));
    return new RecordingReader({ database, path, isShared: false });
  } catch (error) {
    database?.close();
    throw asStoreError(error, path, "read");
  }
}

/**
 * A connection for reading to what is a recording that this version knows.
 *
 * @throws StoreError as `openRecording`
 */
export function openChecked(path: string): Connection {
  let database: Connection | undefined;
  try {
    if (statSync(path).isDirectory()) throw storeError("is-a-folder", path, "read");
    database = new Connection(path, { readonly: true, fileMustExist: true });
    checkRecording(database, path);
    return database;
  } catch (error) {
    database?.close();
    throw asStoreError(error, path, "read");
  }
}

/** A recording of an older version is read from a copy in memory that has the tables of this one. */
function withTodaysTables(database: Connection): Connection {
  if (Number(database.setting("user_version")) === SCHEMA_VERSION) return database;
  const copy = openInMemory(database.serialize());
  database.close();
  migrate(copy);
  return copy;
}
