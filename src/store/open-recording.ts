import { statSync } from "node:fs";
import { Connection } from "./connection.js";
import { asStoreError, StoreError, storeError } from "./errors.js";
import { addFunctions } from "./functions.js";
import { hold } from "./hold.js";
import { openInMemory } from "./in-memory.js";
import { APPLICATION_ID, migrate, SCHEMA_VERSION } from "./migrations/index.js";
import { RecordingReader } from "./reader.js";
import { tune } from "./tune.js";
import { PackedRows, unpackAll } from "./writer/packed-rows.js";

/** The largest file of which a copy is made in memory. */
const COPIED_BYTES_MAX = 2 ** 30;

/**
 * Opens a recording for reading: a finished one, one that another process is writing, or one that was cut off.
 * Close it after use.
 *
 * Rows of a cut-off one that wait for their tables are brought there, where the file can be written to. Else, and while a
 * run goes on as fast as it can, a copy in memory is read, which shows the recording as it is now.
 *
 * @throws StoreError `no-such-recording`, `not-a-recording`, `newer-recording`, `not-readable`, `recording-damaged`…
 */
export function openRecording(path: string): RecordingReader {
  let database: Connection | undefined;
  try {
    database = openChecked(path);
    if (isPacked(database)) {
      database.close();
      database = unpacked(path);
    } else database = withTodaysTables(database);
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
    checkMark(database, path);
    return database;
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
function withTodaysTables(database: Connection): Connection {
  if (Number(database.setting("user_version")) === SCHEMA_VERSION) return database;
  const copy = openInMemory(database.serialize());
  database.close();
  migrate(copy);
  return copy;
}

function isPacked(database: Connection): boolean {
  const isOfToday = Number(database.setting("user_version")) === SCHEMA_VERSION;
  return isOfToday && database.prepare("SELECT 1 FROM batch LIMIT 1").get() !== undefined;
}

function unpacked(path: string): Connection {
  try {
    const letGo = hold(path);
    try {
      unpackThere(path);
    } finally {
      letGo();
    }
    return openChecked(path);
  } catch (error) {
    // A run is writing it, or nobody may. What is damaged is found to be so again.
    if (!(asStoreError(error, path, "read") instanceof StoreError)) throw error;
    if (statSync(path).size > COPIED_BYTES_MAX) throw storeError("recording-unsorted", path, "read");
    return unpackedCopy(path);
  }
}

function unpackedCopy(path: string): Connection {
  const database = openChecked(path);
  const copy = openInMemory(database.serialize());
  database.close();
  try {
    addFunctions(copy);
    unpackAll(new PackedRows(copy, path));
    return copy;
  } catch (error) {
    copy.close();
    throw error;
  }
}

function unpackThere(path: string): void {
  const database = new Connection(path);
  try {
    tune(database);
    addFunctions(database);
    unpackAll(new PackedRows(database, path));
  } finally {
    database.close();
  }
}
