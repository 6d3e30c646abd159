import { closeSync, openSync, readSync, rmSync, statSync } from "node:fs";
import { LabError, version, replaceFile } from "../base/index.js";
import { readCommittedPosition } from "../lab/index.js";
import { scenarioOf, scenarioToKeep } from "../inspect/index.js";
import type { Scenario } from "../scenario/index.js";
import { asStoreError, openRecording, Recording, rollBackJournal, type RunMeta } from "../store/index.js";
import { FIRST_HOUR_MS, Snapshots, START } from "../control/index.js";

/** The database of a served account, and the source of a new one. */
export interface Beginning {
  readonly scenario?: Scenario;
  /** Path of a recording to continue. */
  readonly recording?: string;
  /** Path of the database; absent: in memory. */
  readonly database?: string;
  /** A new account's virtual time begins an hour before the scenario's `starts`. */
  readonly playsFirstHour?: boolean;
  /** Milliseconds since 1970; default `Date.now`. */
  readonly wallClock?: () => number;
}

/** The recording of a served account. */
export interface Opened {
  readonly recording: Recording;
  readonly scenario: Scenario;
  /** The virtual time from which it continues. */
  readonly fromMs: number;
  /** Whether it was created from a scenario, so that it has no history. */
  readonly isNew: boolean;
  /** Whether its virtual time follows the wall clock. */
  readonly followsWall: boolean;
  /** Whether it is an existing database. */
  readonly continuesDatabase: boolean;
}

/** Key of the fact with the version that served a database; empty: it has not been served yet. */
const SERVED = "served";

/**
 * Opens an existing database, copies a recording, or begins a new account. `isDatabase` is false for a new database
 * until `markServed` is called.
 *
 * @throws LabError for options that cannot be served; StoreError when the disk is full or not writable
 */
export function openDatabase(beginning: Beginning): Opened {
  const { database } = beginning;
  if (database === undefined || !isDatabase(database)) return { ...beginNew(beginning), continuesDatabase: false };
  return { ...continueDatabase(database, beginning), continuesDatabase: true };
}

/** Removes a new database and its first snapshot: no client could read it. */
export function discardDatabase(database: string): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(database + suffix, { force: true });
  new Snapshots(database).discard(START);
}

/** Marks a database as served: clients may have read it, so the next server continues it. */
export function markServed(recording: Recording): void {
  recording.keep(SERVED, version);
}

/**
 * Whether a path is a database that a server can continue. False for an empty file, and for a database whose server was
 * killed before `markServed`: no client has read it.
 *
 * @throws StoreError for a file that is not a recording
 */
export function isDatabase(path: string): boolean {
  rollBackJournal(path);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || (stats.isFile() && stats.size === 0)) return false;
  const reader = openRecording(path);
  try {
    const served = reader.kept(SERVED);
    if (served !== undefined) return served !== "";
    // Without the key: a run's recording, or a new database whose server was killed before it wrote the key.
    const options = reader.kept("options");
    return options !== undefined && (JSON.parse(options) as { pace?: string }).pace !== "served";
  } finally {
    reader.close();
  }
}

/** Whether a file is a SQLite database. Only `openRecording` checks whether it is a recording. */
export function isRecording(path: string): boolean {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const start = Buffer.alloc(SQLITE.length);
    readSync(file, start);
    return start.toString("latin1") === SQLITE;
  } catch {
    return false; // the caller reads it as text and reports the error
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** The first bytes of an SQLite file (sqlite.org/fileformat.html 1.3.1). */
const SQLITE = "SQLite format 3";

/**
 * Opens a snapshot's bytes as a recording, in memory or in place of the database. Undelivered events of the snapshot
 * are not delivered any more.
 */
export function recordingOf(bytes: Uint8Array, database: string | undefined): Recording {
  if (database === undefined) return Recording.copyOf(bytes);
  const recording = replaceDatabase(database, bytes);
  markServed(recording);
  return recording;
}

/** The reason why a snapshot cannot replace the served account; undefined: it can. */
export function misfitOf(bytes: Uint8Array, scenario: Scenario): string | undefined {
  let copy: Recording;
  try {
    copy = Recording.copyOf(bytes);
  } catch (error) {
    return `it cannot be read (${error instanceof Error ? error.message : String(error)})`;
  }
  try {
    const { scenario: saved, startsAtMs } = copy.reader().meta();
    const isOurs = saved.text === scenario.source.text && startsAtMs === scenario.cast.startsAtMs;
    return isOurs ? undefined : "it is one of another account";
  } finally {
    copy.close();
  }
}

type Begun = Omit<Opened, "continuesDatabase">;

function continueDatabase(database: string, { recording: source, scenario, wallClock }: Beginning): Begun {
  if (source !== undefined || scenario !== undefined) {
    throw new LabError("bad-options", `${database} exists already and is continued as it is`, {
      hint: "name either the database, or the source of a new one",
    });
  }
  const recording = Recording.reopen(database);
  // Undelivered events of the run are not delivered any more.
  if (recording.kept(SERVED) === undefined) recording.settleEvents();
  return continueFrom(recording, wallClock);
}

function beginNew({ database, recording: source, scenario, playsFirstHour, wallClock }: Beginning): Begun {
  if (source !== undefined) {
    const copy = Recording.copyOf(source);
    copy.keep(SERVED, "");
    if (database === undefined) return continueFrom(copy, wallClock);
    const bytes = copy.snapshot();
    copy.close();
    return continueFrom(replaceDatabase(database, bytes), wallClock);
  }
  if (scenario === undefined) {
    throw new LabError("bad-options", "there is nothing to serve", {
      hint: "name a scenario, a recording, or an existing database",
    });
  }
  const startsAtMs = scenario.cast.startsAtMs - (playsFirstHour === true ? FIRST_HOUR_MS : 0);
  const meta: RunMeta = {
    name: scenario.name,
    seed: scenario.seed,
    version,
    scenario: { file: scenario.source.file, text: scenario.source.text },
    startsAtMs,
    lastsMs: scenario.cast.lastsMs,
    preset: scenario.service,
    startedWallMs: Date.now(),
    options: {
      pace: "served",
      clock: scenario.startsNow ? "wall" : "own",
      // After a restart the server needs the secrets to post its events.
      ...scenarioToKeep(scenario, { keepsSecrets: true }).options,
    },
  };
  const recording =
    database === undefined ? Recording.createTemporary(meta) : Recording.create(database, meta, { overwrite: true });
  recording.keep(SERVED, "");
  return {
    recording,
    scenario: { ...scenario, cast: { ...scenario.cast, startsAtMs } },
    fromMs: 0,
    isNew: true,
    followsWall: scenario.startsNow,
  };
}

/** Continues a recording from its last virtual time, or from the wall time if that is later. */
function continueFrom(recording: Recording, wallClock: () => number = Date.now): Begun {
  try {
    const reader = recording.reader();
    const meta = reader.meta();
    const reachedMs = Math.max(
      reader.lastAtMs(),
      readCommittedPosition(recording)?.atMs ?? 0,
      reader.end() === undefined ? 0 : meta.lastsMs,
    );
    const followsWall = meta.options["clock"] === "wall";
    const wallMs = followsWall ? Math.max(0, wallClock() - meta.startsAtMs) : 0;
    const scenario = scenarioOf(meta, recording.path);
    return { recording, scenario, fromMs: Math.max(reachedMs, wallMs), isNew: false, followsWall };
  } catch (error) {
    recording.close();
    throw error;
  }
}

/** Replaces the database file with a recording's bytes, opens it, and settles its undelivered events. */
function replaceDatabase(database: string, bytes: Uint8Array): Recording {
  try {
    replaceFile(database, bytes, {
      beforeRename: () => {
        for (const suffix of ["-wal", "-shm"]) rmSync(database + suffix, { force: true });
      },
    });
  } catch (error) {
    throw asStoreError(error, database, "write");
  }
  const recording = Recording.reopen(database);
  recording.settleEvents();
  return recording;
}
