/**
 * The live stream of the console: one WebSocket at `STREAM_PATH`. The page sends one `StreamHello`; the server answers
 * with a snapshot, then with numbered deltas, at most four a second. A page that lost its connection names the last
 * frame that it has; it gets the frames after it, or a snapshot where the server no longer has them.
 *
 * Times: `…AtMs` is virtual, in milliseconds since the lab's start; `…WallMs` is of the wall clock, since 1970.
 */
import type { FleetColumns, FleetGroup, FleetRow } from "./fleet.js";

/** Path of the stream. */
export const STREAM_PATH = "/console/stream";

/** First message of the page. The token is not in the URL, which logs and histories keep. */
export interface StreamHello {
  /** The token of the control API. */
  readonly token: string;
  /** The last frame that the page has, to resume after it. */
  readonly resume?: { readonly session: string; readonly frame: number };
}

export type StreamFrame = SnapshotFrame | DeltaFrame;

/** Everything that the page shows live. It replaces what the page had. */
export interface SnapshotFrame extends Partial<ChangingParts> {
  readonly kind: "snapshot";
  /** A new one after each start of the server, and after the lab was replaced. */
  readonly session: string;
  readonly frame: number;
  readonly lab: LabFacts;
  readonly clock: ClockView;
  readonly totals: Totals;
  readonly groups: readonly FleetGroup[];
  readonly fleet: FleetColumns;
  /** The last ten minutes of wall time at most, oldest first. */
  readonly points: readonly SeriesPoint[];
  /** The newest entries, oldest first. */
  readonly log: readonly LogEntry[];
}

/** What has changed since the frame before. Absent parts are unchanged. */
export interface DeltaFrame extends Partial<ChangingParts> {
  readonly kind: "delta";
  /** The number of the frame before, plus 1. */
  readonly frame: number;
  readonly clock: ClockView;
  readonly totals?: Totals;
  readonly fleet?: readonly FleetRow[];
  /** New seconds of the series. */
  readonly points?: readonly SeriesPoint[];
  /** New entries, oldest first: the newest of them if there are many. */
  readonly log?: readonly LogEntry[];
  /** How many entries came in this frame's span and are not in `log`. */
  readonly logSkipped?: number;
}

/** Parts that are sent whole when they change. */
export interface ChangingParts {
  readonly story: StoryView;
  readonly run: RunView;
}

/** The facts about the lab. */
export interface LabFacts {
  readonly name: string;
  readonly version: string;
  readonly seed: number;
  /** `serve`: a service that stays up; `run`: a run that is playing or over. */
  readonly mode: "serve" | "run";
  /** The instant 0 of virtual time, milliseconds since 1970. */
  readonly startsAtMs: number;
  /** End of the scenario; null: it has none. */
  readonly lastsMs: number | null;
  /** The scenario's time zone (IANA). */
  readonly timezone: string;
  /** Where events go, without user name and query, which may be secrets; null: nowhere. */
  readonly receiver: string | null;
  readonly isBundledReceiver: boolean;
  /** The file of the recording; null: in memory. */
  readonly database: string | null;
  readonly people: number;
  /** The clock can be paused and stepped: not in lockstep and max runs. */
  readonly hasClock: boolean;
  /** Lockstep: wall milliseconds for which the clock stands after each window of answers, for API requests. */
  readonly settleMs?: number;
  /** The recording has a past that can be looked at (`/lab/past`). */
  readonly hasPast: boolean;
  /** A served copy of a recording: where the recording ended, and its past with it. */
  readonly pastEndsAtMs?: number;
}

export interface ClockView {
  readonly nowMs: number;
  /** Virtual seconds in a wall second; 0: the clock is not paced. */
  readonly speed: number;
  readonly isPaused: boolean;
  /** Wall time of this reading, milliseconds since 1970: the page extrapolates from it. */
  readonly wallMs: number;
}

/** Counts since the lab's start. */
export interface Totals {
  readonly events: number;
  readonly accepted: number;
  /** Attempts that failed. */
  readonly failures: number;
  readonly inFlight: number;
  readonly retrying: number;
  /** Messages and reports that wait on phones. */
  readonly waitingOnPhones: number;
  readonly alarms: number;
  /** Texts lost by a cause. */
  readonly lost: number;
}

/** One wall second; in the past, a span of virtual time. */
export interface SeriesPoint {
  readonly wallMs: number;
  /** Its end. */
  readonly atMs: number;
  /** Events made in it. */
  readonly events: number;
  readonly accepted: number;
  readonly failures: number;
  /** Latency from the due time of the attempts answered in it, wall milliseconds; null: there was none. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  /** Messages and reports that waited on phones at its end. */
  readonly waitingOnPhones: number;
  /** Present: the clock was stepped or jumped in this second, so its counts are no rate. */
  readonly isStepped?: true;
}

/** An entry of the live log. */
export type LogEntry =
  | {
      readonly kind: "event";
      /** `3/17`: channel and number. */
      readonly id: string;
      readonly handset: string;
      readonly atMs: number;
      readonly type: string;
      readonly phone: string | null;
      readonly text: string | null;
    }
  | {
      readonly kind: "attempt";
      readonly id: string;
      readonly handset: string;
      readonly atMs: number;
      readonly try: number;
      readonly status: number | null;
      readonly error: string | null;
      readonly outcome: string;
      readonly durationMs: number;
    }
  | { readonly kind: "note"; readonly atMs: number; readonly handset: string | null; readonly text: string }
  | { readonly kind: "hand" | "api"; readonly atMs: number; readonly text: string };

/** The scenario's story. */
export interface StoryView {
  /** Name of the scenario that plays, and its file. */
  readonly name: string;
  readonly file: string | null;
  readonly about: string | null;
  /** The scenario's own end: a served lab goes on after it. Null: it has none. */
  readonly lastsMs: number | null;
  /** `over`: its end is reached. `stopped`: it was stopped by hand; the clock stands, and what was seen is kept. */
  readonly state: "playing" | "over" | "stopped";
  /** It begins again by itself `REPEAT_AFTER_MS` after its end, unless the clock is paused. */
  readonly isRepeating: boolean;
  /** Why no other scenario can be started, and this one not begun again or stopped; null: they can. */
  readonly refusal: string | null;
  /** The jump that is under way; null: none is. */
  readonly jump: StoryJump | null;
  /** Named moments that a presenter can jump to, in order of time. */
  readonly beats: readonly StoryBeat[];
  readonly expectations: readonly ExpectationView[];
  /** Notes of the story so far, oldest first: the newest if there are many. */
  readonly notes: readonly { readonly atMs: number; readonly text: string }[];
}

/** Virtual time is played as fast as possible from `fromMs` to `toMs`. */
export interface StoryJump {
  readonly beat: string | null;
  readonly fromMs: number;
  readonly toMs: number;
}

/** How long the end of a repeating scenario stands before it begins again. Wall milliseconds of a clock that runs. */
export const REPEAT_AFTER_MS = 3000;

/** A jump to a beat ends so long before it that one sees it happen. Virtual milliseconds. */
export const BEFORE_BEAT_MS = 1;

export interface StoryBeat {
  readonly name: string;
  readonly about: string | null;
  readonly atMs: number;
}

export interface ExpectationView {
  readonly text: string;
  /** `waiting`: its time has not come, or it can still be met. */
  readonly state: "waiting" | "held" | "failed";
  /** What was seen so far; null: nothing to say yet. */
  readonly seen: string | null;
  /** When it is decided at the latest; null: at the end of the run. */
  readonly untilMs: number | null;
}

/** How a run stands, beside the totals. */
export interface RunView {
  readonly isOver: boolean;
  /** Null: the run still plays. */
  readonly verdict: RunVerdict | null;
  /** What went wrong, then the findings of the report, worst first, as far as they are known. */
  readonly findings: readonly FindingView[];
  /** On which clock the times in `findings` are: `virtual` in lockstep. */
  readonly findingsClock: "virtual" | "real";
  /** Path of the report's page at this server; null: not yet, or none. */
  readonly report: string | null;
}

export interface RunVerdict {
  readonly state: "held" | "held with warnings" | "not judged" | "failed";
  /** One sentence. */
  readonly headline: string;
}

export interface FindingView {
  readonly text: string;
  readonly severity: "problem" | "warning" | "fact";
}
