import { Connection } from "./connection.js";
import { storeError } from "./errors.js";
import { APPLICATION_ID, migrate, SCHEMA_VERSION } from "./migrations/index.js";

/** What `RecordingReader.meta` reads: each recording has it from its first commit on. */
const facts = ["name", "seed", "version", "scenarioFile", "scenario", "startsAtMs", "lastsMs", "preset", "options"];

/** Facts that are JSON, where they are there. */
const jsonFacts = ["preset", "options", "result", "story", "part", "worldEnd"];

/** Columns of each table, by schema version. */
const knownColumns = new Map<number, readonly string[]>();

/**
 * Holds an opened file against what its schema version says that it is: mark, version, tables, columns, facts of the run.
 *
 * @throws StoreError `not-a-recording`, `newer-recording`, `recording-packed`, `recording-edited`
 */
export function checkRecording(database: Connection, path: string): void {
  if (database.setting("application_id") !== APPLICATION_ID) throw storeError("not-a-recording", path, "read");
  const version = Number(database.setting("user_version"));
  if (version > SCHEMA_VERSION) throw storeError("newer-recording", path, "read");
  if (!hasItsColumns(database, version) || !hasItsFacts(database)) throw storeError("recording-edited", path, "read");
  if (hasPackedRows(database)) throw storeError("recording-packed", path, "read");
}

function hasItsColumns(database: Connection, version: number): boolean {
  if (version < 1) return false;
  const present = new Set(columnsOf(database));
  return expectedColumns(version).every((column) => present.has(column));
}

function expectedColumns(version: number): readonly string[] {
  let expected = knownColumns.get(version);
  if (expected === undefined) {
    const empty = new Connection(":memory:");
    migrate(empty, version);
    knownColumns.set(version, (expected = columnsOf(empty)));
    empty.close();
  }
  return expected;
}

function columnsOf(database: Connection): string[] {
  const select = `SELECT schema.name || '.' || info.name FROM sqlite_schema AS schema, pragma_table_info(schema.name) AS info
    WHERE schema.type = 'table' AND schema.name NOT LIKE 'sqlite_%'`;
  return database.prepare<[], string>(select, "value").all();
}

function hasItsFacts(database: Connection): boolean {
  const run = new Map(database.prepare<[], [string, unknown]>("SELECT key, value FROM run", "tuple").all());
  return facts.every((key) => run.has(key)) && jsonFacts.every((key) => !run.has(key) || isJson(run.get(key)));
}

function isJson(text: unknown): boolean {
  try {
    return typeof JSON.parse(String(text)) === "object";
  } catch {
    return false;
  }
}

/** Recordings of schema version 5 kept rows of a fast run as blobs until its end; one that was cut off may still have some. */
function hasPackedRows(database: Connection): boolean {
  const hasTable = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'batch'").get();
  return hasTable !== undefined && database.prepare("SELECT 1 FROM batch LIMIT 1").get() !== undefined;
}
