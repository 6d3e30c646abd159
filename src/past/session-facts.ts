import { recordPosition } from "../lab/index.js";
import type { Recording, RecordingReader } from "../store/index.js";
import { recordStartState, type StartState } from "./start-state.js";

/** What a recording keeps of each session that wrote it, to play it again: see `PastLab`. */
export interface SessionFacts {
  /** Virtual time at which it began. */
  readonly fromMs: number;
  /** Where events went by default, without secrets; null: nowhere. */
  readonly url: string | null;
  /** The receiver had a switch for how it answers. */
  readonly hasSwitch: boolean;
  /** Hosts beside loopback to which resthooks and flow calls could go. */
  readonly allowHosts: readonly string[];
  /** The REST API was offered. */
  readonly isServed: boolean;
  /** Account files were loaded. */
  readonly hasAccount: boolean;
  /** The REST API was strict. */
  readonly isStrict: boolean;
  /** Rows that the recording held before: those of earlier sessions. */
  readonly rows: Readonly<Record<FollowedTable, number>>;
}

const followedTables = ["input", "attempt", "flow_call", "resthook_attempt", "round_trip"] as const;
/** The tables with effects from outside, and `round_trip`, whose times are of the wall clock. */
export type FollowedTable = (typeof followedTables)[number];

const KEY = "sessions";

/**
 * Records the beginning of a session. Call it before its first row is written.
 *
 * @param restart - given if the session continues the previous one where that ended
 */
export function recordSession(
  recording: Recording,
  facts: Omit<SessionFacts, "rows">,
  restart?: Pick<StartState, "urls">,
): void {
  const reader = recording.reader();
  const before = readSessions(reader);
  if (restart !== undefined) {
    recordStartState(recording, before.length, restart.urls);
    recordPosition(recording, { turn: 0, atMs: facts.fromMs });
  }
  const rows = Object.fromEntries(followedTables.map((table) => [table, reader.lastRowOf(table)]));
  recording.keep(KEY, JSON.stringify([...before, { ...facts, rows }]));
}

/** The sessions that wrote a recording, oldest first. */
export function readSessions(reader: Pick<RecordingReader, "kept">): readonly SessionFacts[] {
  return JSON.parse(reader.kept(KEY) ?? "[]") as SessionFacts[];
}
