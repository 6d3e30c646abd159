import { allowedHosts } from "../http/index.js";
import { scenarioOf } from "../inspect/index.js";
import { type CommittedPosition, type Pace, readCommittedPosition, readWorldEnd, type WorldEnd } from "../lab/index.js";
import type { Scenario } from "../scenario/index.js";
import type { RecordingReader } from "../store/index.js";
import type { Part } from "../world/index.js";
import { asServed } from "../control/index.js";
import { type FollowedTable, readSessions, type SessionFacts } from "./session-facts.js";
import { readStartState, type StartState } from "./start-state.js";

/** How a recorded run is played again. */
export interface PastPlan {
  /** As it was played: what is served is endless. */
  readonly scenario: Scenario;
  /** With its own end. */
  readonly ownScenario: Scenario;
  readonly pace: Pace;
  readonly part: Part | undefined;
  /** In the order of time, at least one. Each restart of a server begins a session. */
  readonly sessions: readonly SessionPlan[];
  /** The last instant that can be computed again. */
  readonly untilMs: number;
  /** Why it ends there, in a sentence; undefined: the run was over, or goes on. */
  readonly untilWhy: string | undefined;
}

/** How a session is played again. */
export interface SessionPlan {
  /** Counts from 0. */
  readonly index: number;
  readonly facts: SessionFacts;
  readonly isAllowed: (url: string) => boolean;
  /** State from which it continues the previous session; undefined: it is the first. */
  readonly start: StartState | undefined;
  /** Rows that belong to later sessions begin after these; absent: there is no later session. */
  readonly untilRows: Readonly<Record<FollowedTable, number>> | undefined;
  /** Recorded end of its world. Undefined: it has none, because the run was killed, still plays, or was continued. */
  readonly end: WorldEnd | undefined;
  /** Its last committed position, if the next session continued it, or if it is a later one that has ended. */
  readonly cut: CommittedPosition | undefined;
  /** The last instant that it shows. The instant of a restart belongs to the previous session. */
  readonly untilMs: number;
}

/** The past of this recording cannot be computed again. */
export interface NoPast {
  /** A sentence. */
  readonly why: string;
}

/** A session after a restart begins with a copy in memory, so the past of a larger recording ends at a restart. */
const CONTINUED_BYTES_MAX = 256 * 1024 * 1024;

/**
 * Reads from a recording how to play it again.
 *
 * @param path - of the recording, for messages
 * @param options - `nowMs`: virtual time of the lab that writes it, undefined: nothing writes it any more; `bytes`: its
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
  if (recorded.length === 0) return { why: "It lacks the facts that playing it again needs." };
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
    ? "The server was started again then, and this recording is too large to show what followed."
    : "A snapshot was restored then, and the phones began again.";
}

/** The sessions up to the first that cannot be played again. */
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
    // Of several sessions, the recorded end may be that of the first one.
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

/** The session that is shown at an instant. */
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
