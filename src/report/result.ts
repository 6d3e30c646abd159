import type { LedgerReport } from "../ledger/index.js";
import type { AttemptOutcome, DrainResult, ExpectationResult, Percentiles, SpacingResult } from "../measure/index.js";
import type { BlockedPhone } from "../wire/index.js";
import type { AnswerDifference, AnswersResult } from "./answers/index.js";
import type { Measures } from "./measures.js";
import type { ReceiverEnd } from "./receiver-output.js";

/** How a part of a fleet began together with the others. */
export interface CommonStart {
  /** The folder that they share. */
  readonly folder: string;
  /** The instant of the start by the folder's clock, milliseconds since 1970. */
  readonly atMs: number;
  /** How far the folder's clock is ahead of this machine's, measured. */
  readonly clockOffsetMs: number;
  /** The true offset is at most this far away. */
  readonly clockUncertaintyMs: number;
  /** How long this part waited when it was ready. */
  readonly waitedMs: number;
  /** How much later than `atMs` it began. */
  readonly lateMs: number;
}

/** How many of the receiver's answers contained a reply. */
export interface RepliesResult {
  /** Replies that sent messages. */
  readonly valid: number;
  /** Accepted answers with content (not empty, not `{}`) that sent no message. */
  readonly ignored: number;
  /** Ignored answers by reason, a stable word. */
  readonly reasons: Readonly<Record<string, number>>;
}

/**
 * The result of a run, as `handset run --json` prints it and the recording stores it. Plain JSON. `Measures` are absent
 * when the run did not begin.
 */
export interface RunResult extends Partial<Measures> {
  /** The scenario's name. */
  readonly name: string;
  readonly seed: number;
  /** Which part of the fleet played, such as `2/8`; absent: the whole fleet. */
  readonly shard?: string;
  /** How `--shard auto` found the part, such as `Slurm array, SLURM_ARRAY_TASK_ID=3`. Absent: the user named it. */
  readonly shardFoundBy?: string;
  /** How the part began together with the others; absent: it did not wait for them. */
  readonly start?: CommonStart;
  /** SHA-256 of the events, hexadecimal; the same for the same seed in lockstep. */
  readonly digest: string;
  /** Virtual milliseconds that the run played. */
  readonly virtualMs: number;
  /**
   * The drain after `virtualMs`, in which queued work completes. Absent: no drain, or the run was stopped before it.
   */
  readonly drain?: DrainResult;
  /** Wall milliseconds from the first due event to the last answer. */
  readonly wallMs: number;
  /** How many handsets and people played; absent: unknown. */
  readonly cast?: { readonly handsets: number; readonly people: number };
  /** By type. */
  readonly events: Readonly<Record<string, number>>;
  readonly attempts: Readonly<Record<AttemptOutcome, number>>;
  readonly replies: RepliesResult;
  /**
   * Wall milliseconds from the written request to the complete answer; in paced runs from the due time. Covers answers
   * and timeouts.
   */
  readonly latencyMs: Percentiles;
  /** `latencyMs` under the name of its metric; absent when the run did not begin. */
  readonly deliveryMs?: Percentiles;
  /** Paced runs only: from request written to answer read. */
  readonly serviceMs?: Percentiles;
  /** Paced runs only: how late the lab itself wrote requests. */
  readonly latenessMs?: Percentiles;
  /** Paced replays only: how well the recorded spacing was kept. */
  readonly spacing?: SpacingResult;
  /** Replays with `--answers compare` only: how many answers were compared, and the first difference in detail. */
  readonly answers?: AnswersResult;
  /** With `answers`: all differences, by the time of their events. */
  readonly differences?: readonly AnswerDifference[];
  readonly ledger: LedgerReport;
  /** The ledger's gap: entries missing without a named cause. Any value but 0 is a bug. */
  readonly lost: number;
  /** Entries that still wait, over all accounts. */
  readonly queued: number;
  /**
   * Phones that could not relay at the end while something waited for them, the largest number first, at most
   * `BLOCKED_PHONES_MAX`. Absent: none.
   */
  readonly blocked?: readonly BlockedPhone[];
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
  /** Notices that break nothing, one sentence each. */
  readonly warnings?: readonly string[];
}
