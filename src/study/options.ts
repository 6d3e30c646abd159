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
  /** What has to hold in a trial: `delivery.p99 < 500ms and ledger.gap == 0`. */
  readonly pass?: string;
  /** Trials of a level in one go at most; odd. Default 1. */
  readonly trials?: number;
  /** To how much on either side the knee is to be known, a share. Default 0.1. */
  readonly precision?: number;
  /** Lateness of the generator at the 99th percentile up to which a failed trial counts. Default: a tenth of the shortest bound, 5 to 50. */
  readonly lateMs?: number;
  /** The easiest value is played for so long before the first trial. Default 5,000; 0 where the ramp is made of short trials. */
  readonly warmUpMs?: number;
  /** Rest between two trials, at least. Default 500. */
  readonly coolDownMs?: number;
  /**
   * No trial begins that would not end within this. Default: 120,000 for each value that is varied where the length of trials
   * is chosen, else none.
   */
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

/** What is known of a study before it begins to vary a value. Spans are wall milliseconds. */
export interface StudyPlan {
  readonly vary: string;
  readonly units: FieldUnits;
  readonly speed: number;
  /** How long a trial that counts lasts; undefined: it is chosen when the ramp has found the place. */
  readonly trialMs?: number;
  /** Whether the ramp can use short trials. */
  readonly hasShortTrials: boolean;
  /** Whether only the scenario's story keeps trials from being short. */
  readonly isLongByStory: boolean;
  /** What the search takes: at most where there is a limit, else usually. */
  readonly expectedMs: number;
  readonly isLimited: boolean;
}

/** What is being done now. */
export interface StudyAction {
  readonly text: string;
  /** Where a trial stands. */
  readonly progress?: () => Progress;
  /** What the search is expected to take from now on, at most what its limit leaves. Wall milliseconds. */
  readonly leftMs?: () => number;
}

/** Who is told how a study goes on. */
export interface StudyListener {
  /** A value begins to be varied. */
  begins(plan: StudyPlan): void;
  doing(action: StudyAction): void;
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
