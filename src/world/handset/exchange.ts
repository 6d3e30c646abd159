import type { SimTime, Timer } from "../../sim/index.js";
import {
  addDelay,
  type CopyCause,
  type DelayReason,
  type Report,
  type SyncAnswer,
  type SyncReport,
  unknownStatus,
} from "../../wire/index.js";
import { emptyBatch, type KeptReport } from "./kept-reports.js";

/** One request to the service and its answer. `runner` is the state machine that runs it. */
export interface Exchange<R> {
  readonly runner: R;
  /** The phone's `life` counter when the exchange began. */
  life: number;
  requestedAtMs: SimTime;
  timeoutAtMs: SimTime;
  batch: readonly KeptReport[];
  body: SyncReport;
  isRepeat: boolean;
  /** Which message of the exchange the link loses. */
  loses: "nothing" | "request" | "response";
  /** The runner's epoch counter when the exchange began. */
  epoch: number;
  answer: SyncAnswer | undefined;
  /** Timer that carries the request to the service and then the answer to the phone. */
  timer: Timer | undefined;
  /** True when a timer for `timeoutAtMs` is set. */
  hasTimeout: boolean;
}

/**
 * An exchange without a batch and a body. `ExchangeRunner` fills them in afterwards: V8's allocation-site pretenuring
 * would otherwise allocate each batch and body in old space, because exchanges survive.
 */
export function emptyExchange<R>(runner: R): Exchange<R> {
  return {
    runner,
    life: 0,
    requestedAtMs: 0,
    timeoutAtMs: 0,
    batch: emptyBatch,
    body: noBody,
    isRepeat: false,
    loses: "nothing",
    epoch: 0,
    answer: undefined,
    timer: undefined,
    hasTimeout: false,
  };
}

/** Drops what an exchange refers to, so that the object pool does not keep it alive. */
export function clearExchange(exchange: Exchange<unknown>): void {
  exchange.batch = emptyBatch;
  exchange.body = noBody;
}

/**
 * Records a failure after which the phone cannot know whether the service received the reports.
 *
 * @returns the reason of the delay
 */
export function noteFailure(exchange: Exchange<unknown>, why: DelayReason & CopyCause, nowMs: SimTime): DelayReason {
  const { batch, loses } = exchange;
  // A request that was lost has left no copies at the service.
  if (loses !== "request") for (const kept of batch) kept.repeatedBy = loses === "response" ? "answer-lost" : why;
  const reason = { nothing: why, request: "request-lost", response: "answer-lost" } as const;
  return noteDelay(exchange, reason[loses], nowMs);
}

/** Records an exchange that the service answered with status 500 as a delay of each of its reports. @returns `why` */
export function noteServiceFailure(exchange: Exchange<unknown>, why: DelayReason, nowMs: SimTime): DelayReason {
  for (const kept of exchange.batch) kept.repeatedBy = "service-failed";
  return noteDelay(exchange, why, nowMs);
}

/** Records a failed exchange as a delay of each of its reports. @returns the reason */
export function noteDelay(
  { batch, requestedAtMs: fromMs }: Exchange<unknown>,
  why: DelayReason,
  untilMs: SimTime,
): DelayReason {
  for (const kept of batch) kept.delays = addDelay(kept.delays, { kind: "sync-failed", why, fromMs, untilMs });
  return why;
}

/** The reports of a batch, as the body of a request carries them. */
export function reportsOf(batch: readonly KeptReport[]): readonly Report[] {
  const [first] = batch;
  if (first === undefined) return noReports;
  return batch.length === 1 ? [first.report] : batch.map(({ report }) => report);
}

const noReports: readonly Report[] = [];

const noBody: SyncReport = {
  clockAtMs: 0,
  status: unknownStatus,
  reports: noReports,
};
