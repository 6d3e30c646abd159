import type { Percentiles } from "../../measure/index.js";
import type { Axis } from "./axis.js";

/** A value for each bucket of the axis; null for a bucket without one. */
export type Series = readonly (number | null)[];

/** The attempts for events of one type, or of one group of handsets. */
export interface BreakdownRow {
  readonly name: string;
  readonly attempts: number;
  readonly accepted: number;
  /** Latencies of attempts that were answered or timed out; accurate within 0.8 %, `max` is exact. */
  readonly latencyMs: Percentiles;
}

/** The attempts that were not accepted for one reason. */
export interface FailureKind {
  /** A status (`500`), or the code of an error (`ECONNRESET`). */
  readonly kind: string;
  /** The most frequent outcome of the kind: `retried`, `refused`, `failed`, `timeout` or `connection`. */
  readonly outcome: string;
  readonly count: number;
  /** Due times of the first and the last one, on the axis' clock. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** By bucket of the axis. */
  readonly perBucket: readonly number[];
}

/** An attempt with request and answer, cut to what a page can show. */
export interface AttemptDetail {
  /** Failure kind, or `slow`. */
  readonly kind: string;
  /** The handset, `clinic/3`. */
  readonly handset: string;
  readonly type: string;
  /** `channel/number`. */
  readonly event: string;
  readonly try: number;
  /** Due time, on the axis' clock and in virtual time. */
  readonly dueMs: number;
  readonly dueAtMs: number;
  /** Latency: from the due time in paced runs, else from the written request. */
  readonly latencyMs: number;
  readonly durationMs: number;
  readonly outcome: string;
  readonly status: number | null;
  readonly error: string | null;
  readonly request: string;
  readonly answerHeaders: string | null;
  readonly answer: string | null;
  /** Length of the whole body of the answer. */
  readonly answerBytes: number;
}

/** Attempts by time and latency. */
export interface HeatMap {
  /** Buckets of the axis in a column. */
  readonly bucketsPerColumn: number;
  readonly columns: number;
  /** Lower bounds of the rows in milliseconds, ascending; the last row has no upper bound. */
  readonly rowsFromMs: readonly number[];
  /** Column by column, lowest row first: how many attempts. */
  readonly counts: readonly number[];
}

/** The state of a group of handsets at the instants of `Figures.fleet.atMs`. */
export interface GroupFigures {
  readonly name: string;
  readonly handsets: number;
  readonly waiting: readonly number[];
  readonly offline: readonly number[];
  readonly down: readonly number[];
  /** Percent. */
  readonly batteryMean: readonly number[];
  readonly batteryMin: readonly number[];
}

/**
 * Source of a mark: the story (`cause`: a change of phones, carriers or the receiver; `text`: a text, call, message or
 * event), a hand at the console or control API, or a request to the REST API.
 */
export type MarkKind = "cause" | "text" | "hand" | "api";

/** An input to the world from outside. */
export interface Mark {
  /** On the axis' clock. */
  readonly atMs: number;
  readonly kind: MarkKind;
  readonly text: string;
}

/** An incoming text that was posted to the receiver and had no effect. */
export interface IdleText {
  /** `channel/number`. */
  readonly event: string;
  readonly handset: string;
  /** Virtual milliseconds. */
  readonly atMs: number;
  /** Phone number of the person; empty when the event has none. */
  readonly phone: string;
  readonly text: string;
}

/** Everything that a report shows in addition to the result. Plain JSON, whose size does not grow with the run. */
export interface Figures {
  readonly axis: Axis;
  /** Paced: virtual milliseconds per wall millisecond; null: `max`, or lockstep. */
  readonly speed: number | null;
  readonly perBucket: {
    /** Virtual axis: events by their time; wall axis: events by the due time of their first attempt. */
    readonly events: readonly number[];
    /** Attempts due, and how many of these were accepted. */
    readonly attempts: readonly number[];
    readonly accepted: readonly number[];
    /** Wall axis only: attempts that ended in the bucket, and attempts due and not ended at its end. */
    readonly ended?: readonly number[];
    readonly open?: readonly number[];
    readonly p50: Series;
    readonly p95: Series;
    readonly p99: Series;
    readonly max: Series;
    /** Paced only. */
    readonly serviceP50?: Series;
    readonly serviceP99?: Series;
    readonly latenessP99?: Series;
    readonly latenessMax?: Series;
  };
  readonly heat: HeatMap;
  readonly latencyMs: Percentiles;
  /** Paced only. */
  readonly serviceMs?: Percentiles;
  readonly latenessMs?: Percentiles;
  /** Attempts by the status of their answer. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Most frequent first; beyond 30 kinds they are `other`. */
  readonly failures: readonly FailureKind[];
  readonly byType: readonly BreakdownRow[];
  readonly byGroup: readonly BreakdownRow[];
  readonly slowest: readonly AttemptDetail[];
  readonly failed: readonly AttemptDetail[];
  readonly fleet: { readonly atMs: readonly number[]; readonly groups: readonly GroupFigures[] };
  /** From an incoming text to the receiver's message to that person. */
  readonly roundTrips: { readonly count: number; readonly wallMs: Percentiles };
  /**
   * Requests that the receiver may have got twice. `resent`: attempts after an earlier request that was written and not
   * answered; `repeated`: attempts that a resume repeated.
   */
  readonly doubles: { readonly resent: number; readonly repeated: number };
  readonly marks: readonly Mark[];
  /** Number of marks that are not listed, by kind. */
  readonly marksLeftOut: Readonly<Record<MarkKind, number>>;
  /** The first texts without effect; empty if no text had one. */
  readonly withoutEffect: readonly IdleText[];
  /** Number of attempts in the recording. */
  readonly attempts: number;
}
