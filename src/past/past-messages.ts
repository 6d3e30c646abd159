import type { FleetArrays, FleetGroup, PastDensity, PastMark, PastPoint, StoryView, Totals } from "../console/index.js";

/** A GET of the APIs of a lab of the past. */
export interface PastGet {
  /** Path and query. */
  readonly path: string;
  /** Where the client reaches the lab, without a slash at the end. */
  readonly publicUrl: string;
}

/** An answer of the APIs of a lab of the past. */
export interface PastAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** The `workerData` of the thread of the past. */
export interface PastStart {
  /** Of the recording; it is opened for reading. */
  readonly path: string;
  /** The recording's bytes, where it is in memory. */
  readonly bytes: Uint8Array | undefined;
  /** Virtual time of a lab that goes on; undefined: nothing writes the recording any more. */
  readonly nowMs: number | undefined;
}

/** The fleet at an instant. The arrays are transferred. */
export interface FramePart {
  readonly atMs: number;
  readonly fleet: FleetArrays;
  readonly totals: Totals;
}

/** What can be looked at. */
export interface PastFacts {
  readonly untilMs: number;
  readonly untilWhy: string | null;
  /** Where events went by default, without secrets; null: nowhere. */
  readonly receiver: string | null;
  readonly groups: readonly FleetGroup[];
  readonly marks: readonly PastMark[];
  readonly density: PastDensity;
}

/** A question about a moment. */
export interface PastQuestion {
  readonly id: number;
  readonly atMs: number;
  /** Null: the fleet. */
  readonly get: PastGet | null;
  /** A later question of the same viewer about another moment refuses this one. */
  readonly viewer: string;
}

export type FromPast =
  | { readonly kind: "none"; readonly why: string }
  | { readonly kind: "ready"; readonly facts: PastFacts }
  | { readonly kind: "frame"; readonly frame: FramePart }
  /** The next of the series. */
  | { readonly kind: "point"; readonly point: PastPoint }
  | { readonly kind: "complete" }
  /** The pictures end early. */
  | { readonly kind: "failed"; readonly why: string }
  | { readonly kind: "differs"; readonly atMs: number }
  | { readonly kind: "exact"; readonly atMs: number; readonly wantedMs: number }
  | { readonly kind: "answer"; readonly id: number; readonly answer: PastReply };

export type PastReply =
  | { readonly kind: "text"; readonly answer: PastAnswer }
  | { readonly kind: "frame"; readonly frame: FramePart; readonly story: StoryView }
  | { readonly kind: "superseded" }
  | { readonly kind: "failed"; readonly why: string };
