import type { FailureCondition } from "../../expect/index.js";
import type { SearchProgress } from "./search-failures.js";

/** Options of an exploration. */
export interface ExploreOptions {
  /** File of the scenario. */
  readonly path: string;
  /** URL of the receiver; may hold `{port}`. */
  readonly receiver?: string | undefined;
  /** Starts the receiver again for each trial; words may hold `{port}`. */
  readonly command?: readonly string[] | undefined;
  /** `POST URL` or a shell command, before each trial. */
  readonly reset?: string | undefined;
  /** When a trial fails; absent: `status >= 500`, `timeout` or `closed`. */
  readonly condition?: FailureCondition | undefined;
  readonly seed: number;
  /** False: nothing that the receiver shows guides the search. For comparison; default: true. */
  readonly isGuided?: boolean | undefined;
  /** Wall milliseconds of the search, without those of the minimisations. */
  readonly forMs: number;
  /** Trials of the search at most. */
  readonly trials?: number | undefined;
  /** The search ends after this number of different failures. */
  readonly failures?: number | undefined;
  /** Folder of the bug files; it is made. */
  readonly output: string;
  readonly allowHosts?: readonly string[] | undefined;
  readonly waitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ExploreProgress) => void) | undefined;
}

/** Where an exploration stands. */
export interface ExploreProgress extends SearchProgress {
  readonly phase: "explore" | "minimise";
  /** Wall milliseconds of the search so far. */
  readonly elapsedMs: number;
}

/** A failure that was found. */
export interface ExploredFailure {
  /** As `--while` spells it. */
  readonly condition: string;
  /** What was seen, a clause. */
  readonly seen: string;
  /** The trial that found it, from 1. Trial 1 is the scenario as it is. */
  readonly trial: number;
  /** The bug file, or the scenario that showed it once. */
  readonly file: string;
  /** Events of the smallest play that shows it; null: it was not minimised. */
  readonly events: number | null;
  /** The trials of its minimisation. */
  readonly minimiseTrials: number;
  /** Whether each part of it is needed. */
  readonly oneMinimal: boolean;
  /** Why `file` is the whole scenario, a sentence; empty: it is a minimised bug file. */
  readonly note: string;
}

/** A behaviour that no trial before had shown. */
export interface Discovery {
  readonly trial: number;
  /** `mo_sms: 200 goodbye` */
  readonly what: string;
}

/** What an exploration found. */
export interface Explored extends SearchProgress {
  readonly found: readonly ExploredFailure[];
  /** Answers with other words or another status, in the order in which they were found. */
  readonly discoveries: readonly Discovery[];
  readonly seed: number;
  /** Wall seconds of the search. */
  readonly seconds: number;
  /** Why it ended. */
  readonly endedBy: "time" | "trials" | "failures" | "stopped" | "receiver";
  /** What happened to the receiver, a sentence; empty: it is there. */
  readonly trouble: string;
  /** Whether each trial met a receiver in its first state. */
  readonly isFresh: boolean;
}
