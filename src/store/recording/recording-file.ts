import { accessSync, constants, mkdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { Connection } from "../sqlite/connection.js";
import { asStoreError, storeError } from "../sqlite/errors.js";
import { addFunctions } from "../sqlite/functions.js";
import { migrate, SCHEMA_VERSION } from "../sqlite/schema/schema.js";
import { tune } from "../sqlite/tune.js";
import { ROWS_KEY } from "../writer/writer.js";
import { openChecked } from "./open-recording.js";
import type { RunMeta } from "./rows.js";

/** `path` of a recording that is kept in memory and lost when the process ends. */
export const MEMORY = ":memory:";

/** Path by which SQLite makes a file without a name in its temporary folder, and deletes it with the connection. */
const TEMPORARY = "";

/**
 * Key of the fact that holds the schema version at the recording's creation: only the same version re-executes the
 * same rows.
 */
export const SCHEMA_KEY = "tables";

/**
 * Creates the tables of a recording that ends with its connection, and stores the facts of the run.
 *
 * @param folder - from `temporaryFolder`
 */
export function createTemporary(meta: RunMeta, folder: string | undefined): Connection {
  const database = new Connection(folder === undefined ? MEMORY : TEMPORARY);
  try {
    // The journal is for rollbacks only: the file does not outlive the process.
    database.exec("PRAGMA journal_mode = MEMORY");
    createTables(database, meta);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * The folder in which SQLite keeps temporary files (sqlite.org/tempfiles.html 5); undefined: none is writable, as in a
 * read-only container.
 */
export function temporaryFolder(): string | undefined {
  const { SQLITE_TMPDIR, TMPDIR } = process.env;
  return [SQLITE_TMPDIR, TMPDIR, "/var/tmp", "/usr/tmp", "/tmp", tmpdir()].find((folder) => {
    try {
      if (folder === undefined || folder === "") return false;
      accessSync(folder, constants.W_OK | constants.X_OK);
      return statSync(folder).isDirectory();
    } catch {
      return false;
    }
  });
}

function createTables(database: Connection, meta: RunMeta): void {
  tune(database);
  addFunctions(database);
  // One transaction: no recording lacks the facts of its run.
  database.transaction(() => {
    migrate(database);
    keepFacts(database, metaEntries(meta));
  });
}

/** Deletes all rows of a recording and stores the facts of another run. An open transaction is rolled back. */
export function emptyTables(database: Connection, meta: RunMeta): void {
  if (database.inTransaction) database.exec("ROLLBACK");
  const tables = database
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL", "value")
    .all();
  // A reader's temporary tables have the rows of the earlier run.
  const temporary = database
    .prepare<[], string>("SELECT name FROM sqlite_temp_schema WHERE type = 'table'", "value")
    .all();
  const own = [...tables.filter((name) => !name.startsWith("sqlite_")), "sqlite_sequence"];
  const names = [...own.map((name) => `main"."${name}`), ...temporary.map((name) => `temp"."${name}`)];
  database.transaction(() => {
    database.exec(names.map((name) => `DELETE FROM "${name}";`).join(""));
    keepFacts(database, metaEntries(meta));
  });
}

/** Creates the tables and stores the facts of the run. On failure, no file is left. */
export function createFile(path: string, meta: RunMeta): Connection {
  const database = new Connection(path);
  try {
    createTables(database, meta);
    // In WAL mode readers never wait for the writer, nor the writer for them. It is switched on after the first commit,
    // so the file itself always holds its application id and the run's facts.
    database.exec("PRAGMA journal_mode = WAL");
    return database;
  } catch (error) {
    database.close();
    if (path !== MEMORY) rmSync(path, { force: true });
    throw error;
  }
}

/** The tables of a recording in memory, without rows. */
export function emptyDatabase(): Connection {
  const database = new Connection(MEMORY);
  addFunctions(database);
  migrate(database);
  return database;
}

/** Opens a recording to append to it, if this version can. */
export function openForWriting(path: string): Connection {
  openChecked(path).close();
  return prepareForWriting(new Connection(path));
}

/** A recording's bytes, including what its WAL holds. */
export function readBytes(path: string): Buffer {
  const database = openChecked(path);
  try {
    return database.serialize();
  } finally {
    database.close();
  }
}

/** Migrates an opened recording to the current schema and tunes its connection for writing. Closes it on failure. */
export function prepareForWriting(database: Connection): Connection {
  try {
    tune(database);
    addFunctions(database);
    migrate(database);
    if (!database.isInMemory) database.exec("PRAGMA journal_mode = WAL");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Writes a deleted recording to its path again, from the connection that still holds it.
 *
 * @throws StoreError `recording-exists` where another file has its path now, `disk-full`…
 */
export function restoreFile(database: Connection, path: string): void {
  try {
    if (inodeOf(path) !== undefined) throw storeError("recording-exists", path, "write");
    mkdirSync(dirname(path), { recursive: true });
    // A remaining WAL belongs to the deleted file: SQLite would apply it to the new one.
    for (const suffix of ["-wal", "-shm"]) rmSync(path + suffix, { force: true });
    database.exec(`VACUUM INTO '${path.replaceAll("'", "''")}'`);
  } catch (error) {
    throw asStoreError(error, path, "write");
  }
}

/** Bytes of a recording's file and its WAL; 0 when there is no file. */
export function bytesOnDisk(path: string): number {
  const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return sizeOf(path) + sizeOf(`${path}-wal`);
}

/** Identifies a file independently of its name; undefined when there is no file. */
export function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

/** Stores facts of the run; a later value replaces an earlier one. */
export function keepFacts(database: Connection, entries: readonly (readonly [key: string, value: string])[]): void {
  const insert = database.prepare("INSERT OR REPLACE INTO run (key, value) VALUES (?, ?)");
  for (const entry of entries) insert.run(...entry);
}

/** A stored fact; undefined when there is none under the key. */
export function factOf(database: Connection, key: string): string | undefined {
  return database.prepare<[string], string>("SELECT value FROM run WHERE key = ?", "value").get(key);
}

/** The run's facts as the table `run` keeps them; `RecordingReader.meta` reads them back. */
function metaEntries(meta: RunMeta): [key: string, value: string][] {
  return [
    // With these facts, a run that is killed before its first rows can be resumed, too.
    [ROWS_KEY, "0"],
    [SCHEMA_KEY, String(SCHEMA_VERSION)],
    ["name", meta.name],
    ["seed", String(meta.seed)],
    ["version", meta.version],
    ["scenarioFile", meta.scenario.file],
    ["scenario", meta.scenario.text],
    ["startsAtMs", String(meta.startsAtMs)],
    ["lastsMs", String(meta.lastsMs)],
    ["preset", JSON.stringify(meta.preset)],
    ["startedWallMs", String(meta.startedWallMs)],
    ["options", JSON.stringify(meta.options)],
  ];
}
