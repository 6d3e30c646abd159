import { recordPosition } from "../lab/index.js";
import type { Recording, RecordingReader } from "../store/index.js";
import { recordStartState, type StartState } from "./start-state.js";

/** Recorded facts of a session that `PastLab` needs to re-execute it. */
export interface SessionFacts {
  /** Virtual time of its start. */
  readonly fromMs: number;
  /** The default delivery URL, without secrets; null: none. */
  readonly url: string | null;
  /** Whether the receiver had a switch for its answers. */
  readonly hasSwitch: boolean;
  /** Hosts beside loopback to which resthooks and flow calls could go. */
  readonly allowHosts: readonly string[];
  /** Whether the REST API was served. */
  readonly isServed: boolean;
  /** Whether account files were loaded. */
  readonly hasAccount: boolean;
  /** Whether the REST API was strict. */
  readonly isStrict: boolean;
  /** Rows of earlier sessions in the recording. */
  readonly rows: Readonly<Record<FollowedTable, number>>;
}

const followedTables = ["input", "attempt", "flow_call", "resthook_attempt", "round_trip"] as const;
/** The tables of external effects, and `round_trip`, whose times are wall times. */
export type FollowedTable = (typeof followedTables)[number];

const KEY = "sessions";

/**
 * Records the beginning of a session. Call it before its first row is written.
 *
 * @param restart - given if the session continues the previous one
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
