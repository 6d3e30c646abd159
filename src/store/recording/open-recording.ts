import { statSync } from "node:fs";
import type { OnProgress } from "../../base/index.js";
import { checkRecording } from "./check-recording.js";
import { hasKnownFormat, headerOf, isRecordingHeader } from "./file-header.js";
import { rollBackJournal } from "./roll-back-journal.js";
import { Connection } from "../sqlite/connection.js";
import { asStoreError, storeError } from "../sqlite/errors.js";
import { openInMemory } from "../sqlite/in-memory.js";
import { migrate, SCHEMA_VERSION } from "../sqlite/schema/schema.js";
import { RecordingReader } from "../reading/reader.js";

/** Options of `openRecording`. */
export interface OpenOptions {
  /** Gets the progress of reading events, attempts and messages. */
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Opens a recording for reading: a finished one, one that another process is writing, or one whose run was killed.
 * The caller closes it.
 *
 * @throws StoreError `no-such-recording`, `not-a-recording`, `unknown-format`, `newer-recording`, `not-readable`…
 */
export function openRecording(path: string, { onProgress }: OpenOptions = {}): RecordingReader {
  let database: Connection | undefined;
  try {
    database = withCurrentSchema(openChecked(path));
    return new RecordingReader({ database, path, isShared: false, onProgress });
  } catch (error) {
    database?.close();
    throw asStoreError(error, path, "read");
  }
}

/**
 * Opens a read-only connection to a file, after checking that it is a recording that this version knows.
 *
 * @throws StoreError as `openRecording`
 */
export function openChecked(path: string): Connection {
  let database: Connection | undefined;
  try {
    if (statSync(path).isDirectory()) throw storeError("is-a-folder", path, "read");
    rollBackJournal(path);
    const header = headerOf(path);
    if (header !== undefined && isRecordingHeader(header) && !hasKnownFormat(header)) {
      throw storeError("unknown-format", path, "read");
    }
    database = new Connection(path, { readonly: true, fileMustExist: true });
    checkRecording(database, path);
    return database;
  } catch (error) {
    database?.close();
    throw asStoreError(error, path, "read");
  }
}

/** Copies a recording with an older schema into memory and migrates the copy. */
function withCurrentSchema(database: Connection): Connection {
  if (Number(database.setting("user_version")) === SCHEMA_VERSION) return database;
  const copy = openInMemory(database.serialize());
  database.close();
  migrate(copy);
  return copy;
}
