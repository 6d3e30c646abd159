import { allowedHosts } from "../../http/index.js";
import { scenarioOf } from "../../inspect/index.js";
import { type Pace, readWorldEnd, type WorldEnd } from "../../lab/index.js";
import type { Scenario } from "../../scenario/index.js";
import { RECEIVER_STEPS_KEY } from "../../report/index.js";
import type { RecordingReader, RunMeta } from "../../store/index.js";
import type { Part } from "../../world/index.js";
import { asServed } from "../ready.js";
import { readSessions, type SessionFacts } from "./session-facts.js";

/** How a recorded run is played again. */
export interface PastPlan {
  /** As it was played: what is served is endless. */
  readonly scenario: Scenario;
  /** With its own end. */
  readonly ownScenario: Scenario;
  readonly pace: Pace;
  readonly session: SessionFacts;
  readonly part: Part | undefined;
  readonly isAllowed: (url: string) => boolean;
  /** Rows that belong to later sessions begin after these; absent: there is no later session. */
  readonly until: SessionFacts["rows"] | undefined;
  /** Where its world ended; undefined: it was killed, or goes on. */
  readonly end: WorldEnd | undefined;
  /** The last instant that can be computed again. */
  readonly untilMs: number;
  /** Why it ends there, in a sentence; undefined: the run was over, or goes on. */
  readonly untilWhy: string | undefined;
}

/** The past of this recording cannot be computed again. */
export interface NoPast {
  /** A sentence. */
  readonly why: string;
}

/**
 * Reads from a recording how to play it again.
 *
 * @param path - of the recording, for messages
 * @param nowMs - virtual time of the lab that writes it; undefined: nothing writes it any more
 */
export function planPast(reader: RecordingReader, path: string, nowMs?: number): PastPlan | NoPast {
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
  const sessions = readSessions(reader);
  const [first, second] = sessions;
  const session = first ?? sessionOf(reader, meta);
  if (session === undefined) return { why: "An older version recorded it, without what playing it again needs." };
  if (session.fromMs !== 0) return { why: "It continues another recording, whose phones it does not have." };
  // Of several sessions, the last one has recorded its end.
  const end = second === undefined ? readWorldEnd(reader) : undefined;
  const reachedMs = end?.atMs ?? Math.max(reader.lastAtMs(), reader.lastEffectMs(), nowMs ?? 0);
  return {
    scenario: isService ? asServed(scenario) : scenario,
    ownScenario: scenario,
    pace,
    session,
    part: partOf(options["shard"]),
    isAllowed: allowedHosts(session.allowHosts),
    until: second?.rows,
    end,
    untilMs: second?.fromMs ?? reachedMs,
    untilWhy:
      second !== undefined
        ? "The server was started again then, and the phones began again."
        : end === undefined && nowMs === undefined && !isService
          ? "The run was killed then."
          : undefined,
  };
}

function paceOf(text: string, { lookaheadMs }: Scenario): Pace | undefined {
  if (text === "served") return { kind: "paced", speed: 1 };
  if (text === "lockstep") return { kind: "lockstep", lookaheadMs };
  if (text === "max") return { kind: "max", connections: 1 };
  const speed = Number(/^(\d+(?:\.\d+)?)x?$/.exec(text)?.[1]);
  return speed > 0 ? { kind: "paced", speed } : undefined;
}

/** A recording of a version that did not keep its sessions: what follows from its other facts. */
function sessionOf(reader: RecordingReader, { options }: RunMeta): SessionFacts | undefined {
  if (options["pace"] === "served" || options["account"] !== undefined) return undefined;
  const url = options["receiver"] ?? "none";
  return {
    fromMs: 0,
    url: url === "none" ? null : url,
    hasSwitch: Number(reader.kept(RECEIVER_STEPS_KEY) ?? 0) > 0,
    allowHosts: [],
    isServed: false,
    hasAccount: false,
    isStrict: false,
    rows: { input: 0, attempt: 0, flow_call: 0, resthook_attempt: 0 },
  };
}

function partOf(text: string | undefined): Part | undefined {
  const said = /^(\d+)\/(\d+)$/.exec(text ?? "");
  return said === null ? undefined : { index: Number(said[1]), count: Number(said[2]) };
}
