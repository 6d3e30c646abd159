import type { Sighting } from "../expect/index.js";
import type { LedgerReport } from "../ledger/index.js";
import type { DrainResult, ExpectationResult } from "../report/index.js";
import type { SimTime } from "../sim/index.js";
import type { TrafficStatus } from "../world/index.js";
import type { GaugeReading } from "./gauge.js";
import type { ClockStatus } from "./time/clock.js";

/** Where a run stands: cheap enough to be asked ten times a second. */
export interface Progress {
  readonly atMs: SimTime;
  readonly lastsMs: SimTime;
  /** Steps of the kernel: the measure of a run's work. */
  readonly steps: number;
  readonly events: number;
  readonly accepted: number;
  /** Attempts that were not accepted. */
  readonly failures: number;
  /** Attempts that wait for their answer. */
  readonly inFlight: number;
  /** Events that wait for their next attempt. */
  readonly retrying: number;
  /** Messages to be sent and reports to be told that wait on phones. */
  readonly waitingOnPhones: number;
  /** How all traffic together stands. */
  readonly traffic: TrafficStatus;
  /** The traffic is over, and what waits comes to its end up to this instant at most. */
  readonly drainsToMs?: SimTime;
  /** Paced: how the clock goes. */
  readonly clock?: ClockStatus;
  /** Paced: the last ten seconds. */
  readonly gauge?: GaugeReading;
}

/** What a run came to, as its parts have counted it. */
export interface Tallies {
  readonly reachedMs: SimTime;
  readonly digest: string;
  readonly events: ReadonlyMap<string, number>;
  readonly replies: { readonly valid: number; readonly ignored: number; readonly reasons: ReadonlyMap<string, number> };
  readonly ledger: LedgerReport;
  readonly expectations: readonly ExpectationResult[];
  /** What was seen of the story's `expect` steps, in their order. */
  readonly sightings: readonly Sighting[];
  /** Where a part of a fleet is played: what went wrong because it is a part; undefined: nothing. */
  readonly crossing: string | undefined;
  /** After the traffic; absent: the run had no drain, or ended before it. */
  readonly drained?: DrainResult;
  /** From the first due event to the last answer; 0 when nothing was due. */
  readonly wallMs: number;
  readonly hasGivenUp: boolean;
  readonly wasStopped: boolean;
  /** The expectation that has stopped it. */
  readonly stoppedBy: string | undefined;
  /** What a reader of the result should know. */
  readonly warnings: readonly string[];
}
