import type { Progress } from "../lab/index.js";
import type { Capacity } from "./capacity.js";
import type { FieldUnits } from "./field-units.js";
import type { Trial } from "./trial.js";
import type { Source, VaryRequest } from "./vary.js";

/** How a capacity is to be found out. Spans are wall milliseconds. */
export interface StudyOptions {
  readonly source: Source;
  /** URL; absent: the scenario's own. */
  readonly receiver?: string;
  /** One or more values, each varied by itself while the others stand as the scenario has them. */
  readonly vary: readonly VaryRequest[];
  /** What has to hold in a trial: `delivery.p99 < 500ms and lost == 0`. */
  readonly pass?: string;
  /** Trials of a level in one go at most; odd. Default 3. */
  readonly trials?: number;
  /** To how much on either side the knee is to be known, a share. Default 0.05. */
  readonly precision?: number;
  /** Later than this at the 99th percentile by our own doing, and a trial does not count. Default: a tenth of the shortest bound, 5 to 50. */
  readonly lateMs?: number;
  /** The easiest value is played for so long before the first trial. Default 5,000. */
  readonly warmUpMs?: number;
  /** Rest between two trials, at least. Default 1,000. */
  readonly coolDownMs?: number;
  /** No trial begins after so long. Default: none. */
  readonly timeLimitMs?: number;
  /** Virtual milliseconds in each of the wall's. Default 1. */
  readonly speed?: number;
  readonly connections?: number;
  readonly allowHosts?: readonly string[];
  /** How long the receiver may take to come up. Default 0. */
  readonly waitMs?: number;
  /** How long the receiver may take to recover from a trial. Default 60,000. */
  readonly recoverMs?: number;
  /** Folder that keeps the trials' recordings; absent: they are not kept. */
  readonly keep?: string;
  readonly signal?: AbortSignal;
  readonly listener?: StudyListener;
}

/** Who is told how a study goes on. */
export interface StudyListener {
  /** A value begins to be varied. */
  begins(study: {
    readonly vary: string;
    readonly units: FieldUnits;
    readonly lastsMs: number;
    readonly speed: number;
  }): void;
  /** What is being done now; `progress` tells where a trial stands. */
  doing(what: { readonly text: string; readonly progress?: () => Progress }): void;
  ended(trial: Trial): void;
}

/** What was found out about one value. */
export interface StudyResult extends Capacity {
  readonly vary: string;
  /** In the units of the field. */
  readonly sentence: string;
  /** Each level's value as the scenario spells it, in the order of `levels`. */
  readonly spelled: readonly string[];
  /** In the order in which they were made. */
  readonly trials: readonly Trial[];
  readonly notes: readonly string[];
  readonly units: FieldUnits;
}
