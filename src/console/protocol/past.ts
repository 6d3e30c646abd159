/**
 * The past of a recording: what `GET /lab/past…` answers. Any other GET of the control API and of the REST API answers
 * as it did at a moment when the request has the header `lab-moment`: virtual milliseconds, then optionally `; viewer=`
 * and a word. A later request of the same viewer for another moment refuses the earlier ones with 409.
 */
import type { FleetColumns, FleetGroup } from "./fleet.js";
import type { SeriesPoint, StoryView, Totals } from "./stream.js";

/** Header of a request about a moment. */
export const MOMENT_HEADER = "lab-moment";

/** `GET /lab/past`: what can be looked at, and how far the preparation is. */
export type PastView =
  | {
      /** `opening`: ask again soon. `none`: `why` says why the phones' past cannot be shown. */
      readonly state: "opening" | "none";
      readonly why: string | null;
      readonly canRefresh: boolean;
    }
  | ReadyPast;

export interface ReadyPast {
  readonly state: "ready";
  readonly fromMs: number;
  readonly untilMs: number;
  /** Why it ends there, in a sentence: a restart, a kill. Null: the run was over, or goes on. */
  readonly untilWhy: string | null;
  /** Where its events went by default, without user name and query; null: nowhere. */
  readonly receiver: string | null;
  /** The lab goes on: `POST /lab/past` adds what has happened since. */
  readonly canRefresh: boolean;
  readonly groups: readonly FleetGroup[];
  /** Instants of the pictures of the fleet that are ready, ascending. */
  readonly frames: readonly number[];
  /** Whether all pictures are there: the whole recording has been computed again. */
  readonly isComplete: boolean;
  /** Where the exact state stands, and where it is on its way to; null: nobody asked yet. */
  readonly exact: { readonly atMs: number; readonly wantedMs: number } | null;
  /** The first instant whose events differ from the recorded ones: from there on nothing is shown; null: none so far. */
  readonly differsAtMs: number | null;
  /** Why the pictures end early, in a sentence; null: they do not. */
  readonly failure: string | null;
  readonly marks: readonly PastMark[];
  readonly density: PastDensity;
  /** Spans from 0 on, without gaps, as far as the recording has been computed again. */
  readonly points: readonly PastPoint[];
}

/** What happened after `fromMs` and up to `atMs`, virtual milliseconds. */
export interface PastPoint extends Omit<SeriesPoint, "wallMs"> {
  readonly fromMs: number;
}

/** Something that happened, on the scrubber's track. */
export interface PastMark {
  readonly atMs: number;
  readonly kind: "beat" | "cause" | "alarm" | "note" | "hand" | "restart";
  readonly text: string;
  /** How many there are of this kind at about this instant, this one included. */
  readonly count: number;
}

/** Events and failed attempts in equal spans from 0. */
export interface PastDensity {
  readonly spanMs: number;
  readonly events: readonly number[];
  readonly failures: readonly number[];
}

/** `GET /lab/past/frame?at=` (the picture at or before an instant) and `GET /lab/past/moment?at=` (exact). */
export interface PastFrame {
  readonly atMs: number;
  readonly fleet: FleetColumns;
  readonly totals: Totals;
  /** Exact moments only. */
  readonly story?: StoryView;
}
