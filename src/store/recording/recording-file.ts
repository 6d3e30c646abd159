import { rmSync } from "node:fs";
import { Connection } from "../sqlite/connection.js";
import { addFunctions } from "../sqlite/functions.js";
import { migrate, SCHEMA_VERSION } from "../sqlite/migrations/index.js";
import { openChecked } from "./open-recording.js";
import type { RunMeta } from "./rows.js";
import { tune } from "../sqlite/tune.js";
import { ROWS } from "../writer/writer.js";

/** `path` of a recording that is kept in memory and is gone with the process. */
export const MEMORY = ":memory:";

/** Under this name the recording keeps with which version of the tables it began: `relive` writes the same rows again. */
export const TABLES = "tables";

/** Makes the tables and keeps what is known of the run; where that fails, nothing is left behind. */
export function beginFile(path: string, meta: RunMeta): Connection {
  const database = new Connection(path);
  try {
    tune(database);
    addFunctions(database);
    // Together, so that a recording always says what it is of.
    database.transaction(() => {
      migrate(database);
      keep(database, metaEntries(meta));
    });
    // From here on readers never wait for the writer, nor the writer for them. Not before, so that the file itself
    // holds its mark and what the run is, whenever the process is killed.
    database.exec("PRAGMA journal_mode = WAL");
    return database;
  } catch (error) {
    database.close();
    if (path !== MEMORY) rmSync(path, { force: true });
    throw error;
  }
}

/** The tables of a recording in memory, with nothing in them. */
export function emptyDatabase(): Connection {
  const database = new Connection(MEMORY);
  addFunctions(database);
  migrate(database);
  return database;
}

/** Opens a recording to go on with it, if this version can. */
export function openForWriting(path: string): Connection {
  openChecked(path).close();
  return upToDate(new Connection(path));
}

/** A recording's bytes, what its WAL holds included. */
export function bytesOf(path: string): Buffer {
  const database = openChecked(path);
  try {
    return database.serialize();
  } finally {
    database.close();
  }
}

/** Migrates an opened recording to the current tables and makes it ready for writing. */
export function upToDate(database: Connection): Connection {
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

/** Keeps facts of the run; later ones replace earlier ones. */
export function keep(database: Connection, entries: readonly (readonly [key: string, value: string])[]): void {
  const insert = database.prepare("INSERT OR REPLACE INTO run (key, value) VALUES (?, ?)");
  for (const entry of entries) insert.run(...entry);
}

/** The run's facts as the table `run` keeps them; `RecordingReader.meta` reads them back. */
function metaEntries(meta: RunMeta): [key: string, value: string][] {
  return [
    // Nothing yet: so a run that is cut off before its first rows can be gone on with, too.
    [ROWS, "0"],
    [TABLES, String(SCHEMA_VERSION)],
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
