import { Connection } from "../sqlite/connection.js";
import { storeError } from "../sqlite/errors.js";
import { APPLICATION_ID, FIRST_VERSION, migrate, SCHEMA_VERSION } from "../sqlite/schema/schema.js";

/** Keys of the facts that `RecordingReader.meta` reads; every recording has them from its first commit on. */
const facts = ["name", "seed", "version", "scenarioFile", "scenario", "startsAtMs", "lastsMs", "preset", "options"];

/** Validity of a fact's text, by key; a missing fact is valid. */
const shapes: Readonly<Record<string, (text: string) => boolean>> = {
  seed: isWhole,
  startsAtMs: isInstant,
  startedWallMs: isInstant,
  endedWallMs: isInstant,
  lastsMs: (text) => isWhole(text) && Number(text) >= 0,
  preset: (text) => isObject(parsed(text)),
  options: (text) =>
    isObject(parsed(text)) && Object.values(parsed(text) as object).every((one) => typeof one === "string"),
  result: (text) => isObject(parsed(text)),
  story: (text) => has(text, "steps", isListOfLists),
  part: (text) => has(text, "shard", isObject),
  guests: (text) => Array.isArray(parsed(text)),
  afloat: (text) => Array.isArray(parsed(text)),
  position: (text) => has(text, "turn", Number.isSafeInteger) && has(text, "atMs", Number.isSafeInteger),
  worldEnd: (text) => has(text, "turn", Number.isSafeInteger) && has(text, "atMs", Number.isSafeInteger),
};

/** Columns of each table, by schema version. */
const knownColumns = new Map<number, readonly string[]>();

/**
 * Checks that an opened file is a recording of its schema version: application id, version, tables, columns, facts of
 * the run.
 *
 * @throws StoreError `not-a-recording`, `older-recording`, `newer-recording`, `recording-edited`
 */
export function checkRecording(database: Connection, path: string): void {
  if (database.setting("application_id") !== APPLICATION_ID) throw storeError("not-a-recording", path, "read");
  const version = Number(database.setting("user_version"));
  if (version > SCHEMA_VERSION) throw storeError("newer-recording", path, "read");
  if (version >= 1 && version < FIRST_VERSION) throw storeError("older-recording", path, "read");
  if (!hasItsColumns(database, version) || !hasItsFacts(database)) throw storeError("recording-edited", path, "read");
}

function hasItsColumns(database: Connection, version: number): boolean {
  if (version < 1) return false;
  const present = new Set(columnsOf(database));
  const expected = expectedColumns(version);
  if (!expected.every((column) => present.has(column))) return false;
  // The file has columns of a later version, so its version was set back: a migration would add those columns
  // twice.
  const own = new Set(expected);
  return !expectedColumns(SCHEMA_VERSION).some((column) => !own.has(column) && present.has(column));
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
  const run = new Map(database.prepare<[], [string, string]>("SELECT key, value FROM run", "tuple").all());
  if (!facts.every((key) => run.has(key))) return false;
  return Object.entries(shapes).every(([key, isSound]) => {
    const text = run.get(key);
    return text === undefined || isSound(text);
  });
}

function isWhole(text: string): boolean {
  return text !== "" && Number.isSafeInteger(Number(text));
}

function isInstant(text: string): boolean {
  return isWhole(text) && !Number.isNaN(new Date(Number(text)).getTime());
}

/** The parsed JSON; undefined when the text is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isListOfLists(value: unknown): boolean {
  return Array.isArray(value) && value.every(Array.isArray);
}

function has(text: string, key: string, isSound: (value: unknown) => boolean): boolean {
  const value = parsed(text);
  return isObject(value) && isSound((value as Record<string, unknown>)[key]);
}
