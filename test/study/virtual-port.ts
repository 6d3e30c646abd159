import { Latency } from "../../src/measure/index.js";
import { Streams } from "../../src/sim/index.js";
import type { PlayTrial, TrialOutcome } from "../../src/study/capacity.js";
import { COLLAPSE_DOUBT, HeldLoad } from "../../src/study/held-load.js";
import { hopelessMs } from "../../src/study/trial.js";
import { judge } from "../../src/study/judgement.js";
import { LoadMeter } from "../../src/study/load-meter.js";
import { TimeBudget, type TrialLength } from "../../src/study/time-budget.js";
import type { QueueModel } from "./virtual-receivers.js";
import { virtualRecovery } from "./virtual-recovery.js";

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
}

/** Time of a trial before its load is full, milliseconds. */
const LEAD_MS: Readonly<Record<TrialLength, number>> = { probe: 5500, trial: 4000 };
const BOUND_MS = 500;
const PASS = [`delivery.p99 < ${BOUND_MS}ms`];
const LATE_MS = 50;
const SAMPLE_MS = 100;
const CONNECTIONS = 200;

/**
 * Plays trials on a virtual clock: Poisson arrivals at the value's rate per second, a generator that is late when the
 * machine stalls, a limited number of connections, and a receiver. The measures go through the product's own judgement,
 * meter, recovery and budget.
 */
export function virtualStudy(
  model: QueueModel,
  options: { readonly seed: number; readonly noise: Noise; readonly limitMs?: number },
): VirtualStudy {
  const { seed, noise, limitMs = 120_000 } = options;
  const stream = new Streams(seed).get("virtual-port");
  const exponential = (meanMs: number): number => -Math.log(1 - stream.next()) * meanMs;
  let nowMs = 0;
  const held = new HeldLoad({ lateMs: LATE_MS });
  const budget = new TimeBudget({ now: () => nowMs, limitMs });
  const recovery = virtualRecovery(model, { nowMs: () => nowMs, passTime: (ms) => void (nowMs += ms) });
  let isMeasured = false;

  /** When a due request is sent, or an arrived one is processed: after the stall that contains the instant. */
  const stallsOf = (lengthMs: number): ((atMs: number) => number) => {
    const spans: { from: number; to: number }[] = [];
    const gapMs = 1000 / noise.stallsPerSecond;
    for (let at = exponential(gapMs); at < lengthMs; at += exponential(gapMs)) {
      spans.push({ from: at, to: at + exponential(noise.stallMs) });
    }
    return (atMs) => spans.reduce((late, { from, to }) => (late >= from && late < to ? to : late), atMs);
  };

  /** Plays the full load, until the queue is hopeless. Times are since its begin. */
  const playLoad = (value: number, length: TrialLength): Load => {
    const lengthMs = budget.lengthMs(length);
    const [sends, works] = [stallsOf(lengthMs), stallsOf(lengthMs)];
    const [delivery, lateness, meter] = [new Latency(), new Latency(), new LoadMeter()];
    const hopeless = hopelessMs(length, PASS);
    const answers: number[] = [];
    const dues: number[] = [];
    for (let due = exponential(1000 / value); due < lengthMs; due += exponential(1000 / value)) dues.push(due);
    let [due, answered] = [0, 0];
    for (let atMs = 0; atMs <= lengthMs; atMs += SAMPLE_MS) {
      while ((dues[due] ?? Infinity) <= atMs) due++;
      for (let dueMs = dues[answers.length] ?? Infinity; dueMs <= atMs; dueMs = dues[answers.length] ?? Infinity) {
        const sentMs = Math.max(sends(dueMs), answers[answers.length - CONNECTIONS] ?? 0);
        if (sentMs > atMs) break;
        const answeredMs = works(model.answerAt(nowMs + works(sentMs)) - nowMs);
        answers.push(Math.max(answeredMs, answers.at(-1) ?? 0));
        delivery.record(answeredMs - dueMs);
        lateness.record(sends(dueMs) - dueMs);
      }
      while ((answers[answered] ?? Infinity) <= atMs) answered++;
      meter.sample({ atMs, answered, accepted: answered, waiting: due - answered });
      if ((meter.waitMs(hopeless) ?? 0) > hopeless) return { delivery, lateness, meter, playedMs: atMs };
    }
    return { delivery, lateness, meter, playedMs: lengthMs };
  };

  const play: PlayTrial = async (value, length) => {
    if (!isMeasured) await recovery.measureCalm(0);
    isMeasured = true;
    const beganMs = nowMs;
    nowMs += LEAD_MS[length];
    const { delivery, lateness, meter, playedMs } = playLoad(value, length);
    nowMs += playedMs;
    const { saturation, growth, due } = meter;
    const { p99 } = delivery.percentiles();
    const attempts = delivery.count;
    const judged = judge(
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
      { pass: PASS, lateMs: LATE_MS, keptUp: saturation === undefined, ...(growth !== undefined && { growth }) },
    );
    const doubt = held.assess({
      verdict: judged.verdict,
      phase: length === "probe" ? "ramp" : "trial",
      attemptsPerSecond: due,
      handledPerSecond: saturation?.accepted ?? null,
      latenessP99Ms: lateness.percentiles().p99,
    });
    const verdict = doubt === undefined ? judged.verdict : "void";
    const isSparse = attempts < 30;
    await recovery.waitUntilCalm(verdict !== "passed" ? "overload" : isSparse ? "small" : "held");
    budget.recordTrial(budget.lengthMs(length), nowMs - beganMs);
    const isLateAlways = (lateness.percentiles().p50 ?? 0) > LATE_MS;
    const isBeyondGenerator = verdict === "void" && isLateAlways;
    const outcome: TrialOutcome = {
      verdict,
      isSparse,
      isScarce: attempts < 6,
      ...(judged.doubt !== undefined && !isBeyondGenerator && { doubt: judged.doubt }),
      ...(doubt !== undefined && { doubt: COLLAPSE_DOUBT }),
      ...(isBeyondGenerator && { isBeyondGenerator }),
      ...(playedMs < budget.lengthMs(length) && { isBrokenOff: true }),
      ...(saturation !== undefined && verdict !== "passed" && { handled: saturation.accepted / value }),
    };
    return outcome;
  };
  return { play, budget, tookMs: () => nowMs };
}

interface Load {
  readonly delivery: Latency;
  readonly lateness: Latency;
  readonly meter: LoadMeter;
  readonly playedMs: number;
}
