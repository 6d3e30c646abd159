import type { Distribution } from "../sim/index.js";
import type { NetworkType } from "./cast.js";

/** How one number of a profile or preset is written in a scenario. */
export type FieldUnit =
  /** Milliseconds here, `90s` there; the field's name ends in `Ms` here and not there. */
  | "duration"
  /** A list of durations. */
  | "durations"
  /** A distribution of durations. */
  | "span"
  /** A whole number >= 0. */
  | "count"
  /** 0..1 here, `25%` there. */
  | "share"
  /** Percentage points, per hour where the name says so. */
  | "percent"
  | "flag";

/** Faults of real relayer apps (handset.md 3 to 8 and 11), each switchable by name. */
export type Fault = "early-sent" | "stale-after-reboot";

/** How a phone behaves: handset.md's numbers. One data file a profile, each value with its source beside it. */
export interface Profile {
  readonly name: string;
  readonly pollEveryMs: number;
  readonly batch: number;
  readonly faults: ReadonlySet<Fault>;
  /** Apps through which the phone sends, each with its own limit; absent: no limit. */
  readonly packs?: number;
  readonly latency: Readonly<Record<Exclude<NetworkType, "none">, Distribution<number>>>;
}
