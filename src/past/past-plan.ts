import { allowedHosts } from "../http/index.js";
import { scenarioOf } from "../inspect/index.js";
import { type CommittedPosition, type Pace, readCommittedPosition, readWorldEnd, type WorldEnd } from "../lab/index.js";
import type { Scenario } from "../scenario/index.js";
import type { RecordingReader } from "../store/index.js";
import type { Part } from "../world/index.js";
import { asServed } from "../control/index.js";
import { type FollowedTable, readSessions, type SessionFacts } from "./session-facts.js";
import { readStartState, type StartState } from "./start-state.js";

/** How to re-execute a recorded run. */
export interface PastPlan {
  /** The scenario as played; a served one is endless. */
  readonly scenario: Scenario;
  /** The scenario with its original end. */
  readonly ownScenario: Scenario;
  readonly pace: Pace;
  readonly part: Part | undefined;
  /** The sessions in the order of time, at least one. Each restart of a server begins a session. */
  readonly sessions: readonly SessionPlan[];
  /** The last instant that can be re-executed. */
  readonly untilMs: number;
  /** Why the past ends there, in a sentence; undefined when the run ended there, or still runs. */
  readonly untilWhy: string | undefined;
}

/** How to re-execute a session. */
export interface SessionPlan {
  /** Counts from 0. */
  readonly index: number;
  readonly facts: SessionFacts;
  readonly isAllowed: (url: string) => boolean;
  /** State from which it continues the previous session; undefined for the first session. */
  readonly start: StartState | undefined;
  /** The last row of this session in each table; absent for the last session. */
  readonly untilRows: Readonly<Record<FollowedTable, number>> | undefined;
  /** Recorded end of the session's world; undefined when the run was killed, still plays, or was continued. */
  readonly end: WorldEnd | undefined;
  /**
   * The last committed position of the session. Present if the next session continues it, or if it has ended and is
   * not the first.
   */
  readonly cut: CommittedPosition | undefined;
  /** Its last instant. The instant of a restart belongs to the previous session. */
  readonly untilMs: number;
}

/** The recording cannot be re-executed. */
export interface NoPast {
  readonly why: string;
}

/** Size of the largest recording whose later sessions are re-executed: each begins with a copy in memory. */
const CONTINUED_BYTES_MAX = 256 * 1024 * 1024;

/**
 * Reads from a recording how to re-execute it.
 *
 * @param path - of the recording, for messages
 * @param options - `nowMs`: virtual time of the lab that writes it, undefined: the recording is complete; `bytes`: its
 *   size
 */
export function planPast(
  reader: RecordingReader,
  path: string,
  { nowMs, bytes = 0 }: { readonly nowMs?: number | undefined; readonly bytes?: number } = {},
): PastPlan | NoPast {
  const meta = reader.meta();
  const { options } = meta;
  if (options["parts"] !== undefined) return { why: "This recording joins several processes of one fleet." };
  let scenario: Scenario;
  try {
    scenario = scenarioOf(meta, path);
  } catch (error) {
    return { why: `Its scenario cannot be read: ${error instanceof Error ? error.message : String(error)}.` };
  }
  const isService = options["pace"] === "served";
  const pace = paceOf(options["pace"] ?? "lockstep", scenario);
  if (pace === undefined) return { why: `Its pace '${options["pace"]}' is not known to this version.` };
  const recorded = readSessions(reader);
  if (recorded.length === 0) return { why: "It lacks the data that a replay needs." };
  if (recorded[0]?.fromMs !== 0) return { why: "It continues another recording, whose phones it does not have." };
  const canContinue = isService && bytes <= CONTINUED_BYTES_MAX;
  const sessions = planSessions(reader, { recorded, canContinue, nowMs });
  const last = sessions.at(-1) as SessionPlan; // the first one is always planned
  const isCutShort = sessions.length < recorded.length;
  return {
    scenario: isService ? asServed(scenario) : scenario,
    ownScenario: scenario,
    pace,
    part: partOf(options["shard"]),
    sessions,
    untilMs: last.untilMs,
    untilWhy: isCutShort
      ? whyCutShort({ isService, isLarge: !canContinue })
      : last.end === undefined && nowMs === undefined && !isService
        ? "The run was killed then."
        : undefined,
  };
}

function whyCutShort({ isService, isLarge }: { readonly isService: boolean; readonly isLarge: boolean }): string {
  if (!isService) return "A server continued the run then, and the phones began again.";
  return isLarge
    ? "The server was restarted then, and this recording is too large to show the time after it."
    : "A snapshot was restored then, and the phones began again.";
}

/** Plans the sessions up to the first one that cannot be re-executed. */
function planSessions(
  reader: RecordingReader,
  {
    recorded,
    canContinue,
    nowMs,
  }: { readonly recorded: readonly SessionFacts[]; readonly canContinue: boolean; readonly nowMs: number | undefined },
): SessionPlan[] {
  const starts = recorded.map((_, index) => (index > 0 && canContinue ? readStartState(reader, index) : undefined));
  const plans: SessionPlan[] = [];
  for (const [index, facts] of recorded.entries()) {
    const start = starts[index];
    if (index > 0 && start === undefined) break;
    const next = recorded[index + 1];
    // With several sessions, the recorded end may belong to the first one.
    const end = recorded.length === 1 ? readWorldEnd(reader) : undefined;
    const reachedMs = end?.atMs ?? Math.max(facts.fromMs, reader.lastAtMs(), reader.lastEffectMs(), nowMs ?? 0);
    const isFinished = index > 0 && next === undefined && nowMs === undefined;
    plans.push({
      index,
      facts,
      isAllowed: allowedHosts(facts.allowHosts),
      start,
      untilRows: next?.rows,
      end,
      cut: isFinished ? readCommittedPosition(reader) : starts[index + 1]?.before,
      untilMs: next?.fromMs ?? reachedMs,
    });
  }
  return plans;
}

/** The session at an instant. */
export function sessionAt({ sessions }: Pick<PastPlan, "sessions">, atMs: number): SessionPlan {
  return sessions.find(({ untilMs }) => atMs <= untilMs) ?? (sessions.at(-1) as SessionPlan);
}

function paceOf(text: string, { lookaheadMs }: Scenario): Pace | undefined {
  if (text === "served") return { kind: "paced", speed: 1 };
  if (text === "lockstep") return { kind: "lockstep", lookaheadMs };
  if (text === "max") return { kind: "max", connections: 1 };
  const speed = Number(/^(\d+(?:\.\d+)?)x?$/.exec(text)?.[1]);
  return speed > 0 ? { kind: "paced", speed } : undefined;
}

function partOf(text: string | undefined): Part | undefined {
  const said = /^(\d+)\/(\d+)$/.exec(text ?? "");
  return said === null ? undefined : { index: Number(said[1]), count: Number(said[2]) };
}
