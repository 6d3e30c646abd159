import type { Observation } from "../expect/index.js";
import type { LedgerReport } from "../ledger/index.js";
import type { DrainResult, ExpectationResult, Latency } from "../measure/index.js";
import type { SimTime } from "../sim/index.js";
import type { BlockedPhone } from "../wire/index.js";
import type { TrafficStatus } from "../world/index.js";
import type { GaugeReading } from "./gauge.js";
import type { ClockStatus } from "./time/clock.js";

/** A run's progress: cheap enough to read ten times a second. */
export interface Progress {
  readonly atMs: SimTime;
  readonly lastsMs: SimTime;
  /** Kernel steps: the measure of a run's work. */
  readonly steps: number;
  readonly events: number;
  readonly accepted: number;
  /** Attempts that were not accepted. */
  readonly failures: number;
  /** Attempts that wait for their answers. */
  readonly inFlight: number;
  /** Events that wait for their next attempt. */
  readonly retrying: number;
  /** Messages to send and reports to sync that wait on phones. */
  readonly waitingOnPhones: number;
  readonly traffic: TrafficStatus;
  /** During the drain: its limit. */
  readonly drainsToMs?: SimTime;
  /** Paced runs only. */
  readonly clock?: ClockStatus;
  /** Paced runs only: the last ten seconds. */
  readonly gauge?: GaugeReading;
}

/** Histograms of delivery time and of the lab's own lateness, wall milliseconds. */
export interface RecentLatencies {
  readonly delivery: Latency;
  /** Null: nothing is due at an instant. */
  readonly lateness: Latency | null;
  /** What they cover; null: the whole run so far. */
  readonly seconds: number | null;
}

/** The totals of a finished run, for its result. */
export interface RunTotals {
  readonly reachedMs: SimTime;
  readonly digest: string;
  readonly events: ReadonlyMap<string, number>;
  readonly replies: { readonly valid: number; readonly ignored: number; readonly reasons: ReadonlyMap<string, number> };
  readonly ledger: LedgerReport;
  readonly expectations: readonly ExpectationResult[];
  /** Of the story's `expect` steps, in their order. */
  readonly observations: readonly Observation[];
  /** Parts of a fleet only: see `CrossPartReplies.problem`. */
  readonly crossing: string | undefined;
  /** Problems of the story's steps, in sentences; a run with any does not pass. Absent when there are none. */
  readonly stepProblems?: readonly string[];
  /** Answered HTTP calls of flows, and how many of them failed. Absent: unknown. */
  readonly flowCalls?: { readonly answered: number; readonly failed: number };
  /**
   * The phones that could not relay at the end although texts or calls waited, those with the most waiting first.
   * Absent: unknown.
   */
  readonly blocked?: readonly BlockedPhone[];
  /** Absent: the run had no drain, or ended before it. */
  readonly drained?: DrainResult;
  /** From the first due event to the last answer; 0 when nothing was due. */
  readonly wallMs: number;
  readonly hasGivenUp: boolean;
  readonly wasStopped: boolean;
  /** Text of the expectation that stopped it. */
  readonly stoppedBy: string | undefined;
  /** Sentences for the reader of the result. */
  readonly warnings: readonly string[];
}
