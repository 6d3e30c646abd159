import type { LedgerReport } from "../ledger/index.js";
import type { AttemptOutcome, MetricUnit, Percentiles, Tags } from "../measure/index.js";
import type { Measures } from "./measures.js";
import type { ReceiverEnd } from "./receiver-output.js";

/** How many answers of the receiver were replies. */
export interface RepliesResult {
  /** Replies that sent messages. */
  readonly valid: number;
  /** Accepted answers with content (not empty, not `{}`) that sent no message. */
  readonly ignored: number;
  /** Ignored answers by reason, a stable word. */
  readonly reasons: Readonly<Record<string, number>>;
}

/** The drain after a run, in virtual milliseconds. What still waits after it is `queued` in the ledger. */
export interface DrainResult {
  readonly limitMs: number;
  readonly tookMs: number;
  /** The drain ended before its limit, because nothing waited any more. */
  readonly isEmpty: boolean;
}

/** One expectation of the scenario, and whether it held. */
export interface ExpectationResult {
  /** As the scenario writes it. */
  readonly text: string;
  readonly held: boolean;
  /** What was seen, with its unit. */
  readonly seen: string;
  /** The parsed expectation; absent for expectations of the story. */
  readonly metric?: {
    /** `delivery.p99` */
    readonly name: string;
    readonly tags?: Tags;
    readonly op: string;
    /** The bound, in the metric's unit: milliseconds, a count, a share 0..1, a rate per second, bytes. */
    readonly value: number;
    readonly unit: MetricUnit;
    /** The measured value, in the same unit; with a window, that of the worst window; null: nothing was measured. */
    readonly seen: number | null;
    /** Length of the window, in wall milliseconds; absent: the whole run. */
    readonly overMs?: number;
    readonly fromMs?: number;
    /** When the worst window ended, or the bound was broken for good: wall milliseconds after the run began. */
    readonly atMs?: number;
    /** This expectation stopped the run. */
    readonly hasStopped?: boolean;
    /**
     * Broken bounds on durations, if other programs kept this machine busy: without those seconds, what was measured
     * (null: nothing, or the bound is over a window), and whether the bound holds.
     */
    readonly clear?: { readonly seen: number | null; readonly held: boolean };
  };
}

/**
 * The result of a run, as `handset run --json` prints it and the recording stores it. Plain JSON. `Measures` are absent
 * when the run did not begin, and in results of earlier versions.
 */
export interface RunResult extends Partial<Measures> {
  /** The scenario's name. */
  readonly name: string;
  readonly seed: number;
  /** Which part of the fleet played, such as `2/8`; absent: the whole fleet. */
  readonly shard?: string;
  /** SHA-256 of the events, hexadecimal; the same for the same seed in lockstep. */
  readonly digest: string;
  /** Virtual time that the run played, in milliseconds. */
  readonly virtualMs: number;
  /**
   * The drain after `virtualMs`, in which queued work completes. Absent: no drain, or the run was stopped before it.
   */
  readonly drain?: DrainResult;
  /** From the first due event to the last answer. */
  readonly wallMs: number;
  /** How many handsets and people played; absent: unknown. */
  readonly cast?: { readonly handsets: number; readonly people: number };
  /** By type. */
  readonly events: Readonly<Record<string, number>>;
  readonly attempts: Readonly<Record<AttemptOutcome, number>>;
  readonly replies: RepliesResult;
  /** From request written to answer read; in paced runs from the due time. Answers and timeouts count. */
  readonly latencyMs: Percentiles;
  /** `latencyMs` under the name of its metric; absent in results of earlier versions. */
  readonly deliveryMs?: Percentiles;
  /** Paced runs only: from request written to answer read. */
  readonly serviceMs?: Percentiles;
  /** Paced runs only: how late the lab itself wrote requests. */
  readonly latenessMs?: Percentiles;
  readonly ledger: LedgerReport;
  /** The ledger's gap: entries missing without a named cause. Any value but 0 is a bug. */
  readonly lost: number;
  /** Entries that still wait, over all accounts. */
  readonly queued: number;
  readonly alarms: number;
  /**
   * Answered HTTP calls of flows; `failed`: those without an answer or with a status outside 200..299. Absent: none.
   */
  readonly flowCalls?: { readonly answered: number; readonly failed: number };
  readonly expectations: readonly ExpectationResult[];
  /** The receiver's command, if the run started one and it ended by itself. */
  readonly receiver?: ReceiverEnd;
  /** Path of the recording; null: no recording. */
  readonly recording: string | null;
  /** Failures of the run itself, a sentence each. */
  readonly problems: readonly string[];
  /** The run still plays, or was killed: the numbers are those recorded so far. */
  readonly isUnfinished?: true;
  /** What a reader should know although nothing is broken, a sentence each. */
  readonly warnings?: readonly string[];
}
