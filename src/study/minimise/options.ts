import type { FailureCondition } from "../../expect/index.js";
import type { OnProgress } from "../../base/index.js";
import type { ExactRequest } from "../../scenario/index.js";
import type { PlayedAnswer } from "../../exact/index.js";
import type { Rate } from "./wilson.js";

/** Options of a minimisation. */
export interface MinimiseOptions {
  /** A log or a recording; with `requests`, what they are called. */
  readonly path: string;
  /** The input, instead of the file. */
  readonly requests?: readonly ExactRequest[] | undefined;
  /** URL of the receiver; may hold `{port}`. */
  readonly receiver?: string | undefined;
  /** Starts the receiver again for each trial; words may hold `{port}`. */
  readonly command?: readonly string[] | undefined;
  /** `POST URL` or a shell command, before each trial. */
  readonly reset?: string | undefined;
  /** Absent or `auto`: what the source shows to be wrong. */
  readonly condition: FailureCondition | { readonly auto: { readonly type?: string } };
  /** Wall milliseconds. Default 60,000. */
  readonly timeLimitMs?: number | undefined;
  /** Different inputs that are tried at most. Default 300. */
  readonly trials?: number | undefined;
  /** Wall milliseconds that the receiver has for an answer. Default: the recorded service's, 5,000 for a log. */
  readonly timeoutMs?: number | undefined;
  readonly allowHosts?: readonly string[] | undefined;
  /** How long to wait until the receiver listens. */
  readonly waitMs?: number | undefined;
  /** Receivers at the same time, where each has a port of its own. Default: 2. */
  readonly width?: number | undefined;
  /** The seed of a scenario, instead of its own. Exact requests have no chance. */
  readonly seed?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Reading the source. */
  readonly onProgress?: OnProgress | undefined;
  /** Each step of the search. */
  readonly onStep?: ((step: MinimiseStep) => void) | undefined;
}

/** Where a minimisation stands. */
export interface MinimiseStep {
  readonly phase: "first play" | "search" | "simplify" | "last round" | "another failure";
  readonly trials: number;
  /** Events of the smallest failing input so far. */
  readonly events: number;
  readonly before: number;
}

/** What an input has. */
export interface InputCounts {
  readonly events: number;
  readonly people: number;
  readonly handsets: number;
  /** From the first to the last request: milliseconds. */
  readonly span: number;
}

/** Another failure that was met on the way. */
export interface OtherFailure {
  /** As `--while` spells it. */
  readonly condition: string;
  /** Requests of the smallest input that showed it. */
  readonly events: number;
  /** Whether it is known that none of them can go. */
  readonly oneMinimal: boolean;
  /** Its bug file; null: none was written. */
  readonly bug: string | null;
  /** What showed it, for its bug file. */
  readonly found: FoundOther;
}

/** The input and the answer of another failure. */
export interface FoundOther {
  readonly condition: FailureCondition;
  /** The requests up to the failing one; absent: a scenario shows it. */
  readonly requests?: readonly ExactRequest[];
  readonly scenario?: string;
  readonly answer: PlayedAnswer | undefined;
  readonly seen?: string | undefined;
  /** Runs that failed, and runs in all; absent: it was met once. */
  readonly failed?: number;
  readonly of?: number;
}

/** The result of a minimisation. */
export interface Minimised {
  readonly reproduced: boolean;
  /** Runs of the measured input that failed, and runs in all. */
  readonly failed: number;
  readonly of: number;
  readonly rate: Rate;
  readonly condition: string;
  readonly failure: FailureCondition;
  /** Where the condition came from, as a clause; empty: it was given. */
  readonly took: string;
  /** Different inputs that were tried. */
  readonly trials: number;
  /** Inputs that came up again and were not played again. */
  readonly cached: number;
  /** Plays in all, with the repeats that measure how often it fails. */
  readonly plays: number;
  readonly seconds: number;
  readonly before: InputCounts;
  readonly after: InputCounts;
  readonly oneMinimal: boolean;
  /** Why it is not known to be 1-minimal, a sentence; empty: it is. */
  readonly endedBy: string;
  readonly events: readonly ExactRequest[];
  /** What is shown of an event: which one fails, and why an event is kept that the failure does not need. */
  readonly failsAt: number | null;
  /** The fingerprint of the failure. */
  readonly same: string;
  readonly others: readonly OtherFailure[];
  readonly contaminated: boolean;
  /** What showed it, a sentence; empty: nothing did. */
  readonly contamination: string;
  /** The file of the smallest scenario; null: the source has none, or it is in the bug file. */
  readonly scenario: string | null;
  /** The text of the smallest scenario; absent: the source has exact requests. */
  readonly smallest?: string;
  readonly bug: string | null;
  /** Type of the failing event; absent: that of the failing request, or the failure is at none. */
  readonly type?: string | undefined;
  /** The answer at which it failed. */
  readonly answer: PlayedAnswer | undefined;
  readonly seen: string | undefined;
  /** Notes for people, a sentence each. */
  readonly notes: readonly string[];
}
