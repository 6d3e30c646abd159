import { Latency } from "../../src/measure/index.js";
import { Streams } from "../../src/sim/index.js";
import type { TrialOutcome, PlayTrial } from "../../src/study/capacity.js";
import { judge } from "../../src/study/judgement.js";
import { LoadMeter } from "../../src/study/load-meter.js";
import { TimeBudget } from "../../src/study/time-budget.js";

/** A receiver as a queue: the instant of the answer for an instant of arrival. Milliseconds. */
export interface QueueModel {
  reset(): void;
  answerAt(arrivalMs: number): number;
}

/** A number of parallel workers with a fixed service time; one worker: serial. */
export function workers(count: number, serviceMs: number): QueueModel {
  const freeAt = Array.from({ length: count }, () => 0);
  return {
    reset: () => void freeAt.fill(0),
    answerAt(arrivalMs) {
      const index = freeAt.indexOf(Math.min(...freeAt));
      return (freeAt[index] = Math.max(arrivalMs, freeAt[index] ?? 0) + serviceMs);
    },
  };
}

/** Accepts at once; answers after a base time, in order, at a fixed rate. */
export function growingQueue(perSecond: number, baseMs: number): QueueModel {
  let freeAtMs = 0;
  return {
    reset: () => void (freeAtMs = 0),
    answerAt(arrivalMs) {
      freeAtMs = Math.max(arrivalMs, freeAtMs) + 1000 / perSecond;
      return freeAtMs + baseMs;
    },
  };
}

/** Stalls of the machine that stop generator and receiver: a share of the time, with exponential lengths. */
export interface Noise {
  readonly stallsPerSecond: number;
  readonly stallMs: number;
}

export interface VirtualStudy {
  readonly play: PlayTrial;
  readonly budget: TimeBudget;
  /** Virtual time that the search took, milliseconds. */
  readonly tookMs: () => number;
  readonly voided: () => number;
}

/** Overhead between two trials: start, drain and recovery, milliseconds. */
const OVERHEAD_MS = 2500;
const BOUND_MS = 500;
const SAMPLE_MS = 100;

/**
 * Plays trials on a virtual clock: Poisson arrivals at the value's rate per second, a generator that is late when the
 * machine stalls, and a queue. The measures go through the product's own judgement, meter and budget.
 */
export function virtualStudy(
  model: QueueModel,
  options: { readonly seed: number; readonly noise: Noise; readonly limitMs?: number },
): VirtualStudy {
  const { seed, noise, limitMs = 120_000 } = options;
  const stream = new Streams(seed).get("virtual-port");
  const exponential = (meanMs: number): number => -Math.log(1 - stream.next()) * meanMs;
  let nowMs = 0;
  let voided = 0;
  const budget = new TimeBudget({ now: () => nowMs, limitMs });

  /** When a due request is sent, or an arrived one is processed: after the stall that contains the instant. */
  const stalls = (lengthMs: number): ((atMs: number) => number) => {
    const spans: { from: number; to: number }[] = [];
    if (noise.stallsPerSecond > 0) {
      for (
        let at = exponential(1000 / noise.stallsPerSecond);
        at < lengthMs;
        at += exponential(1000 / noise.stallsPerSecond)
      ) {
        spans.push({ from: at, to: at + exponential(noise.stallMs) });
      }
    }
    return (atMs) => spans.reduce((late, { from, to }) => (late >= from && late < to ? to : late), atMs);
  };

  const play: PlayTrial = async (value, length) => {
    const lengthMs = budget.lengthMs(length);
    model.reset();
    const [sends, works] = [stalls(lengthMs), stalls(lengthMs)];
    const [delivery, lateness] = [new Latency(), new Latency()];
    const changes: { atMs: number; by: 1 | -1 }[] = [];
    for (let due = exponential(1000 / value); due < lengthMs; due += exponential(1000 / value)) {
      const sentMs = sends(due);
      const answeredMs = works(model.answerAt(works(sentMs)));
      delivery.record(answeredMs - due);
      lateness.record(sentMs - due);
      changes.push({ atMs: due, by: 1 }, { atMs: answeredMs, by: -1 });
    }
    const meter = new LoadMeter();
    const attempts = delivery.count;
    changes.sort((a, b) => a.atMs - b.atMs);
    let [at, waiting, answered] = [0, 0, 0];
    const endsMs = Math.min(changes.at(-1)?.atMs ?? 0, lengthMs);
    for (let atMs = 0; atMs <= endsMs + SAMPLE_MS; atMs += SAMPLE_MS) {
      for (; (changes[at]?.atMs ?? Infinity) <= atMs; at++) {
        const by = changes[at]?.by ?? 0;
        waiting += by;
        if (by < 0) answered++;
      }
      meter.sample({ atMs, answered, accepted: answered, waiting });
    }
    const { p99 } = delivery.percentiles();
    const { verdict } = judge(
      {
        attempts: { accepted: attempts, retried: 0, refused: 0, failed: 0, timeout: 0, connection: 0 },
        expectations: [
          {
            text: `delivery.p99 < ${BOUND_MS}ms`,
            held: (p99 ?? 0) < BOUND_MS,
            seen: String(p99),
            metric: { name: "delivery.p99", op: "<", value: BOUND_MS, unit: "duration", seen: p99 },
          },
        ],
        latenessMs: lateness.percentiles(),
        lost: 0,
      },
      {
        pass: [`delivery.p99 < ${BOUND_MS}ms`],
        lateMs: 50,
        keptUp: meter.saturation === undefined,
        ...(length === "trial" && meter.growth !== undefined && { growth: meter.growth }),
      },
    );
    if (verdict === "void") voided++;
    const tookMs = lengthMs + Math.min(p99 ?? 0, 1000) + OVERHEAD_MS;
    nowMs += tookMs;
    budget.recordTrial(lengthMs, tookMs);
    const { saturation } = meter;
    const isLateAlways = (lateness.percentiles().p50 ?? 0) > 50;
    const outcome: TrialOutcome = {
      verdict,
      isSparse: attempts < 30,
      isScarce: attempts < 6,
      ...(verdict === "void" && isLateAlways && { isBeyondGenerator: true }),
      ...(saturation !== undefined && verdict !== "passed" && { handled: saturation.accepted / value }),
    };
    return outcome;
  };
  return { play, budget, tookMs: () => nowMs, voided: () => voided };
}
