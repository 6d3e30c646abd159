import type { LedgerReport } from "../ledger/index.js";
import type { AttemptOutcome, MetricUnit, Percentiles, Tags } from "../measure/index.js";
import type { Measures } from "./measures.js";

export interface RepliesResult {
  /** Those that sent messages. */
  readonly valid: number;
  /** Accepted answers that said something (not empty, not `{}`) and sent nothing. */
  readonly ignored: number;
  /** The ignored ones by stable word. */
  readonly reasons: Readonly<Record<string, number>>;
}

/** How long a run drained at most and in fact, in virtual milliseconds. What waited after it is in the ledger, as `queued`. */
export interface DrainResult {
  readonly limitMs: number;
  readonly tookMs: number;
  /** Nothing waited any more, so it ended before its limit. */
  readonly isEmpty: boolean;
}

export interface ExpectationResult {
  /** As the scenario has it. */
  readonly text: string;
  readonly held: boolean;
  /** What was seen, with its unit. */
  readonly seen: string;
  /** What stands behind the text, for programs; absent for the story's own expectations. */
  readonly metric?: {
    /** `delivery.p99` */
    readonly name: string;
    readonly tags?: Tags;
    readonly op: string;
    /** The bound, in the metric's unit: milliseconds, a count, a share 0..1, so many a second, bytes. */
    readonly value: number;
    readonly unit: MetricUnit;
    /** What was seen, in the same unit: with a window, in the worst of them; null where nothing was measured. */
    readonly seen: number | null;
    /** The window, in wall milliseconds; absent: the whole run. */
    readonly overMs?: number;
    readonly fromMs?: number;
    /** When the worst window ended, or the bound was broken for good: wall milliseconds after the run began. */
    readonly atMs?: number;
    /** It has stopped the run. */
    readonly hasStopped?: boolean;
  };
}

/**
 * The result of a run: what `handset run --json` prints, and what its recording keeps. Plain JSON. `Measures` are absent
 * where a run did not begin, and in what earlier versions have kept.
 */
export interface RunResult extends Partial<Measures> {
  /** The scenario's name. */
  readonly name: string;
  readonly seed: number;
  /** Which part of the fleet it is, such as `2/8`; absent: it is the whole. */
  readonly shard?: string;
  /** SHA-256 of the events, hexadecimal; the same for the same seed in lockstep. */
  readonly digest: string;
  /** How long the world lived. */
  readonly virtualMs: number;
  /** The time after `virtualMs` in which what waited came to its end. Absent: there was none, or the run was ended. */
  readonly drain?: DrainResult;
  /** From the first due event to the last answer. */
  readonly wallMs: number;
  /** How many phones and people played; absent when that is not known. */
  readonly cast?: { readonly handsets: number; readonly people: number };
  /** By type. */
  readonly events: Readonly<Record<string, number>>;
  readonly attempts: Readonly<Record<AttemptOutcome, number>>;
  readonly replies: RepliesResult;
  /** In lockstep from request written to answer read; in paced runs from the due time. Answers and timeouts count. */
  readonly latencyMs: Percentiles;
  /** The same under the name of its metric; absent in what earlier versions have kept. */
  readonly deliveryMs?: Percentiles;
  /** Paced runs only: from request written to answer read. */
  readonly serviceMs?: Percentiles;
  /** Paced runs only: how late requests were written by our own doing. */
  readonly latenessMs?: Percentiles;
  readonly ledger: LedgerReport;
  /** What is missing without a named cause; not 0 is a bug. */
  readonly lost: number;
  /** What still waits, over all accounts. */
  readonly queued: number;
  readonly alarms: number;
  readonly expectations: readonly ExpectationResult[];
  /** The recording's path; null when none was made. */
  readonly recording: string | null;
  /** What went wrong with the run itself, in sentences. */
  readonly problems: readonly string[];
  /** The run still plays, or was cut off: these are the numbers up to there. */
  readonly isUnfinished?: true;
  /** What somebody who reads the result should know, although nothing is broken by it. */
  readonly warnings?: readonly string[];
}
