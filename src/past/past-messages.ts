import type { FleetArrays, FleetGroup, PastDensity, PastMark, PastPoint, StoryView, Totals } from "../console/index.js";

/** A GET of the APIs of a re-executed lab. */
export interface PastGet {
  /** Path and query. */
  readonly path: string;
  /** The URL at which the client reaches the lab, without a slash at the end. */
  readonly publicUrl: string;
}

/** An answer of the APIs of a re-executed lab. */
export interface PastAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** The `workerData` of the thread. */
export interface PastStart {
  /** Path of the recording, which is opened for reading. */
  readonly path: string;
  /** The bytes of a recording in memory. */
  readonly bytes: Uint8Array | undefined;
  /** Virtual time of the lab that writes the recording; undefined when the recording is complete. */
  readonly nowMs: number | undefined;
}

/** The fleet at an instant. The arrays are transferred. */
export interface FramePart {
  readonly atMs: number;
  readonly fleet: FleetArrays;
  readonly totals: Totals;
}

/** The range, the marks and the density of the past that a client can request. */
export interface PastFacts {
  readonly untilMs: number;
  readonly untilWhy: string | null;
  /** The default delivery URL, without secrets; null: none. */
  readonly receiver: string | null;
  readonly groups: readonly FleetGroup[];
  readonly marks: readonly PastMark[];
  readonly density: PastDensity;
}

/** A request about an instant. */
export interface PastQuestion {
  readonly id: number;
  readonly atMs: number;
  /** The GET to answer; null when a frame of the fleet is requested. */
  readonly get: PastGet | null;
  /** A later question of the same viewer about another instant cancels this one. */
  readonly viewer: string;
}

export type FromPast =
  | { readonly kind: "none"; readonly why: string }
  | { readonly kind: "ready"; readonly facts: PastFacts }
  | { readonly kind: "frame"; readonly frame: FramePart }
  /** The next point of the series. */
  | { readonly kind: "point"; readonly point: PastPoint }
  | { readonly kind: "complete" }
  /** The survey failed: there are no further frames. */
  | { readonly kind: "failed"; readonly why: string }
  | { readonly kind: "differs"; readonly atMs: number }
  | { readonly kind: "exact"; readonly atMs: number; readonly wantedMs: number }
  | { readonly kind: "answer"; readonly id: number; readonly answer: PastReply };

export type PastReply =
  | { readonly kind: "text"; readonly answer: PastAnswer }
  | { readonly kind: "frame"; readonly frame: FramePart; readonly story: StoryView }
  | { readonly kind: "superseded" }
  | { readonly kind: "failed"; readonly why: string };
