import type { Percentiles } from "../../measure/index.js";
import type { Axis } from "./axis.js";

/** A value for each bucket of the axis; null where there is none. */
export type Series = readonly (number | null)[];

/** How attempts at one kind of events, or from one group of handsets, went. */
export interface BreakdownRow {
  readonly name: string;
  readonly attempts: number;
  readonly accepted: number;
  /** Of attempts that were answered or timed out. */
  readonly latencyMs: Percentiles;
}

/** One way in which attempts were not accepted. */
export interface FailureKind {
  /** A status (`500`), or the code of an error (`ECONNRESET`). */
  readonly kind: string;
  /** How such an attempt may end: `retried`, `refused`, `failed`, `timeout`, `connection`; the most frequent. */
  readonly outcome: string;
  readonly count: number;
  /** On the axis' clock: when the first and the last of them was due. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** By bucket of the axis. */
  readonly perBucket: readonly number[];
}

/** An attempt with what went over the wire, cut to what a page can show. */
export interface AttemptDetail {
  /** Failure kind, or `slow`. */
  readonly kind: string;
  /** The handset, `clinic/3`. */
  readonly handset: string;
  readonly type: string;
  /** `channel/number`. */
  readonly event: string;
  readonly try: number;
  /** When it was due, on the axis' clock and in the world. */
  readonly dueMs: number;
  readonly dueAtMs: number;
  /** From the due time in paced runs, else from the request's way out. */
  readonly latencyMs: number;
  readonly durationMs: number;
  readonly outcome: string;
  readonly status: number | null;
  readonly error: string | null;
  readonly request: string;
  readonly answerHeaders: string | null;
  readonly answer: string | null;
  /** Length of the whole answer's body. */
  readonly answerBytes: number;
}

/** How often each latency was met in each stretch of time. */
export interface HeatMap {
  /** Buckets of the axis in a column. */
  readonly bucketsPerColumn: number;
  readonly columns: number;
  /** Lower bounds of the rows in milliseconds, ascending; the last row has no upper bound. */
  readonly rowsFromMs: readonly number[];
  /** Column by column, lowest row first: how many attempts. */
  readonly counts: readonly number[];
}

/** How a group of handsets stood, at the instants of `Figures.fleet.atMs`. */
export interface FleetGroup {
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
 * Where a mark comes from: the story (`cause`: what makes others behave differently; `text`: a text, call, message or
 * event), somebody by hand, or a request to the REST API.
 */
export type MarkKind = "cause" | "text" | "hand" | "api";

/** Something that came from outside the world's own course. */
export interface Mark {
  /** On the axis' clock. */
  readonly atMs: number;
  readonly kind: MarkKind;
  readonly text: string;
}

/** An incoming text that the receiver was told of and did nothing about. */
export interface IdleText {
  /** `channel/number`. */
  readonly event: string;
  readonly handset: string;
  /** Virtual milliseconds. */
  readonly atMs: number;
  /** Of the person; empty: the event does not say. */
  readonly phone: string;
  readonly text: string;
}

/** Everything that a report shows beside the result: plain JSON, of a bounded size however long the run was. */
export interface Figures {
  readonly axis: Axis;
  /** Paced: virtual milliseconds to one of the wall; null: `max`, or lockstep. */
  readonly speed: number | null;
  readonly perBucket: {
    /** Lockstep and runs without a receiver: events that came into being; else events whose first attempt was due. */
    readonly events: readonly number[];
    /** Attempts due, and of these how many were accepted. */
    readonly attempts: readonly number[];
    readonly accepted: readonly number[];
    /** Wall axis only: attempts that came to their end, and those that were due and had not, at the bucket's end. */
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
  /** The most frequent first; what is beyond 30 kinds is `other`. */
  readonly failures: readonly FailureKind[];
  readonly byType: readonly BreakdownRow[];
  readonly byGroup: readonly BreakdownRow[];
  readonly slowest: readonly AttemptDetail[];
  readonly failed: readonly AttemptDetail[];
  readonly fleet: { readonly atMs: readonly number[]; readonly groups: readonly FleetGroup[] };
  /** From an incoming text to what the receiver did about it. */
  readonly roundTrips: { readonly count: number; readonly wallMs: Percentiles };
  /**
   * What the receiver may have met twice. `resent`: attempts that were made again although the request before had been
   * written and was not answered; `repeated`: those of a run that was cut off.
   */
  readonly doubles: { readonly resent: number; readonly repeated: number };
  readonly marks: readonly Mark[];
  /** Marks that are not listed, by their kind. */
  readonly marksLeftOut: Readonly<Record<MarkKind, number>>;
  /** The first of the texts without effect, where others had one. */
  readonly withoutEffect: readonly IdleText[];
  /** Attempts that were read. */
  readonly attempts: number;
}
