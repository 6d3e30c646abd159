import type { Progress } from "../lab/index.js";
import type { Capacity } from "./capacity.js";
import type { FieldUnits } from "./field-units.js";
import type { Trial } from "./trial.js";
import type { StudySource, VaryRequest } from "./vary.js";

/** Options of a capacity study. Durations are wall milliseconds. */
export interface StudyOptions {
  readonly source: StudySource;
  /** URL; absent: the scenario's own, or with a command `COMMAND_RECEIVER`. */
  readonly receiver?: string;
  /** The receiver's command: started before the first trial, and stopped after the last. */
  readonly command?: readonly string[];
  /** Values to vary, one after the other; the others stay as in the scenario. */
  readonly vary: readonly VaryRequest[];
  /** The condition of a passed trial: `delivery.p99 < 500ms and ledger.gap == 0`. */
  readonly pass?: string;
  /** Maximum of consecutive trials of a level; odd. Default 1. */
  readonly trials?: number;
  /** Wanted precision of the knee on either side, a share. Default 0.1. */
  readonly precision?: number;
  /**
   * A failed trial counts up to this p99 lateness of the generator. Default: a tenth of the shortest bound, 5 to 50.
   */
  readonly lateMs?: number;
  /** Warm-up with the easiest value before the first trial. Default 5,000; 0 if the ramp has short trials. */
  readonly warmUpMs?: number;
  /** Minimum rest between two trials. Default 500. */
  readonly coolDownMs?: number;
  /**
   * No trial begins that would end after this. Default: 120,000 for each varied value if the study chooses the length
   * of trials, else none.
   */
  readonly timeLimitMs?: number;
  /** Virtual milliseconds per wall millisecond. Default 1. */
  readonly speed?: number;
  readonly connections?: number;
  readonly allowHosts?: readonly string[];
  /** How long to wait for the receiver to start. Default 0, and 30,000 with a command. */
  readonly waitMs?: number;
  /** How long to wait for the receiver to recover after a trial. Default 60,000. */
  readonly recoverMs?: number;
  /** Judges the receiver's speed also by seconds in which other programs keep this machine busy. */
  readonly judgeBusy?: boolean;
  /** Folder for the recordings of the trials; absent: they are deleted. */
  readonly keep?: string;
  readonly signal?: AbortSignal;
  readonly listener?: StudyListener;
}

/** The plan for varying one value. Durations are wall milliseconds. */
export interface StudyPlan {
  readonly vary: string;
  readonly units: FieldUnits;
  readonly speed: number;
  /** Length of a trial that counts; undefined: chosen after the ramp. */
  readonly trialMs?: number;
  /** The ramp can use short trials. */
  readonly hasShortTrials: boolean;
  /** Only the scenario's story prevents short trials. */
  readonly isLongByStory: boolean;
  /** Duration of the search: an upper bound if there is a limit, else an estimate. */
  readonly expectedMs: number;
  readonly isLimited: boolean;
}

/** What the study does now. */
export interface StudyAction {
  readonly text: string;
  /** Progress of the current trial. */
  readonly progress?: () => Progress;
  /** Expected remaining time of the search, within its limit. Wall milliseconds. */
  readonly leftMs?: () => number;
}

/** Receives the progress of a study. */
export interface StudyListener {
  /** The search for a value begins. */
  onValueBegin(plan: StudyPlan): void;
  onAction(action: StudyAction): void;
  onTrialEnd(trial: Trial): void;
}

/** The result for one varied value. */
export interface StudyResult extends Capacity {
  readonly vary: string;
  /** The result as a sentence, in units of the field. */
  readonly sentence: string;
  /** A number of connections that carries a clearly higher load. Only if the connections are the limit. */
  readonly connectionsToTry?: number;
  /** Each level's value as the scenario spells it, in the order of `levels`. */
  readonly spelled: readonly string[];
  /** In the order in which they were played. */
  readonly trials: readonly Trial[];
  readonly notes: readonly string[];
  readonly units: FieldUnits;
}
