import { closeSync, openSync, readSync, rmSync, statSync } from "node:fs";
import { LabError, version, replaceFile } from "../base/index.js";
import { scenarioOf, scenarioToKeep } from "../inspect/index.js";
import type { Scenario } from "../scenario/index.js";
import { openRecording, Recording } from "../store/index.js";
import { PAST_MS } from "./past.js";

/** What a served account is kept in, and what it begins with. */
export interface Beginning {
  readonly scenario?: Scenario;
  /** Path of a recording that is gone on with. */
  readonly recording?: string;
  /** Path; absent: in memory. */
  readonly database?: string;
  readonly hasPast?: boolean;
  /** Milliseconds since 1970; default `Date.now`. */
  readonly wallClock?: () => number;
}

/** What was opened. */
export interface Opened {
  readonly recording: Recording;
  readonly scenario: Scenario;
  /** Virtual time at which it goes on. */
  readonly fromMs: number;
  /** Nothing was in it before. */
  readonly isNew: boolean;
  /** Its time began as the wall clock's, and goes on with it. */
  readonly followsWall: boolean;
  /** It is a database that was served before. */
  readonly isThere: boolean;
}

/** Where a database keeps which version has served it; empty: none has yet. */
const SERVED = "served";

/**
 * Opens what is served: a database that is there, a copy of a recording, or something new. Until `beginsToServe` is
 * called, a new database counts as not there.
 *
 * @throws LabError for what cannot be served; StoreError where the disk does not take it
 */
export function openDatabase(beginning: Beginning): Opened {
  const { database } = beginning;
  if (database === undefined || !isDatabase(database)) return { ...begin(beginning), isThere: false };
  return { ...goOnWith(database, beginning), isThere: true };
}

/** From here on clients hear of what is in it. */
export function beginsToServe(recording: Recording): void {
  recording.keep(SERVED, version);
}

/**
 * Whether there is something at this path that is gone on with. An empty file is not, nor is a database whose server was
 * killed before it had begun to serve: nobody has heard of what is in it.
 *
 * @throws StoreError for a file that is no recording
 */
export function isDatabase(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || (stats.isFile() && stats.size === 0)) return false;
  const reader = openRecording(path);
  try {
    const served = reader.kept(SERVED);
    if (served !== undefined) return served !== "";
    // The recording of a run has no such mark, nor has a database whose server was killed at once.
    const options = reader.kept("options");
    return options !== undefined && (JSON.parse(options) as { pace?: string }).pace !== "served";
  } finally {
    reader.close();
  }
}

/** Whether a file is a SQLite database: as an account's source it can only be a recording, and opening it says what is wrong. */
export function isRecording(path: string): boolean {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const start = Buffer.alloc(SQLITE.length);
    readSync(file, start);
    return start.toString("latin1") === SQLITE;
  } catch {
    return false; // whoever reads it as text says why
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** How each SQLite file begins (sqlite.org/fileformat.html 1.3.1). */
const SQLITE = "SQLite format 3";

/**
 * A recording of a snapshot's bytes: in memory, or in the database's place. What was not delivered when it was taken is
 * not delivered any more.
 */
export function recordingOf(bytes: Uint8Array, database: string | undefined): Recording {
  if (database === undefined) return Recording.copyOf(bytes);
  const recording = moveTo(database, bytes);
  beginsToServe(recording);
  return recording;
}

/** Why a snapshot cannot take the place of what is served; undefined: it can. */
export function misfitOf(bytes: Uint8Array, scenario: Scenario): string | undefined {
  let copy: Recording;
  try {
    copy = Recording.copyOf(bytes);
  } catch (error) {
    return `it cannot be read (${error instanceof Error ? error.message : String(error)})`;
  }
  try {
    const { scenario: of, startsAtMs } = copy.reader().meta();
    const isOurs = of.text === scenario.source.text && startsAtMs === scenario.cast.startsAtMs;
    return isOurs ? undefined : "it is one of another account";
  } finally {
    copy.close();
  }
}

type Begun = Omit<Opened, "isThere">;

function goOnWith(database: string, { recording: source, scenario, wallClock }: Beginning): Begun {
  if (source !== undefined || scenario !== undefined) {
    throw new LabError("bad-options", `${database} is there already and is gone on with as it is`, {
      hint: "name either the database, or what a new one begins with",
    });
  }
  const recording = Recording.reopen(database);
  // What a run had not delivered at its end is not delivered any more.
  if (recording.kept(SERVED) === undefined) recording.settleEvents();
  return goOn(recording, wallClock);
}

function begin({ database, recording: source, scenario, hasPast, wallClock }: Beginning): Begun {
  if (source !== undefined) {
    const copy = Recording.copyOf(source);
    copy.keep(SERVED, "");
    if (database === undefined) return goOn(copy, wallClock);
    const bytes = copy.snapshot();
    copy.close();
    return goOn(moveTo(database, bytes), wallClock);
  }
  if (scenario === undefined) {
    throw new LabError("bad-options", "nothing was named that could be served", {
      hint: "name a scenario, a recording, or a database that is there",
    });
  }
  const startsAtMs = scenario.cast.startsAtMs - (hasPast === true ? PAST_MS : 0);
  const recording = Recording.create(
    database ?? ":memory:",
    {
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
        // A database that is served needs them to post its events after a restart.
        ...scenarioToKeep(scenario, { keepsSecrets: true }).options,
      },
    },
    { overwrite: true },
  );
  recording.keep(SERVED, "");
  return {
    recording,
    scenario: { ...scenario, cast: { ...scenario.cast, startsAtMs } },
    fromMs: 0,
    isNew: true,
    followsWall: scenario.startsNow,
  };
}

/** Goes on with a recording: its scenario is in it, and so is the time that it has come to. */
function goOn(recording: Recording, wallClock: () => number = Date.now): Begun {
  try {
    const reader = recording.reader();
    const meta = reader.meta();
    const cameToMs = Math.max(reader.lastAtMs(), reader.end() === undefined ? 0 : meta.lastsMs);
    // An account whose time began when it was made goes on with the wall's.
    const followsWall = meta.options["clock"] === "wall";
    const wallMs = followsWall ? Math.max(0, wallClock() - meta.startsAtMs) : 0;
    const scenario = scenarioOf(meta, recording.path);
    return { recording, scenario, fromMs: Math.max(cameToMs, wallMs), isNew: false, followsWall };
  } catch (error) {
    recording.close();
    throw error;
  }
}

/** Puts a whole recording in a database's place. */
function moveTo(database: string, bytes: Uint8Array): Recording {
  replaceFile(database, bytes, {
    beforeRename: () => {
      for (const suffix of ["-wal", "-shm"]) rmSync(database + suffix, { force: true });
    },
  });
  const recording = Recording.reopen(database);
  recording.settleEvents();
  return recording;
}
