import { LabError } from "../base/index.js";
import type { Progress } from "../lab/index.js";
import { type RunOptions, runScenario } from "../run/index.js";
import type { Scenario } from "../scenario/index.js";
import { redactedUrl } from "../wire/index.js";
import type { Outcome, Verdict } from "./capacity.js";
import type { ConnectionUse } from "./connection-limit.js";
import { attemptsOf, judge } from "./judgement.js";
import { LoadMeter } from "./load-meter.js";
import { boundsMs } from "./pass.js";
import type { TrialLength } from "./time-budget.js";

/** One trial and what came of it. */
export interface Trial {
  readonly value: number;
  readonly verdict: Verdict;
  /** `ramp`: a short one, which finds the place and does not count. */
  readonly phase: "ramp" | "trial";
  /** What did not hold, or why it does not count, in words; empty: it passed. */
  readonly reasons: readonly string[];
  readonly seed: number;
  /** Attempts due in each second of the wall's, when the load had come up. */
  readonly attemptsPerSecond: number;
  /** Attempts that a saturated receiver accepted in each second; null: it kept up. */
  readonly handledPerSecond: number | null;
  /** 99th percentile from the due time to the answer, wall milliseconds; null: nothing was answered. */
  readonly p99Ms: number | null;
  /** 99th percentile of how late our own side was. */
  readonly latenessP99Ms: number | null;
  readonly wallMs: number;
  /** Null: it was not kept. */
  readonly recording: string | null;
}

export interface TrialOptions {
  /** Goes into the `Trial`. */
  readonly value: number;
  readonly length: TrialLength;
  /** What has to hold, as lines of `expect`: the last ones of the scenario. */
  readonly pass: readonly string[];
  /** Lateness at the 99th percentile up to which a failure is not the generator's. Wall milliseconds. */
  readonly lateMs: number;
  readonly run: RunOptions & { readonly recording: string };
  readonly isKept: boolean;
  readonly onStart?: (progress: () => Progress) => void;
}

export interface PlayedTrial {
  readonly trial: Trial;
  readonly outcome: Outcome;
  readonly use: ConnectionUse;
}

/** How often a trial is looked at while it runs. Wall milliseconds. */
const LOOK_MS = 100;

/** What waits for so long is hopeless, whatever the bounds: wall milliseconds, in a short trial and in one that counts. */
const HOPELESS_MS: Readonly<Record<TrialLength, number>> = { probe: 2_000, trial: 5_000 };

/** And so many times the longest bound. */
const HOPELESS_TIMES = 4;

/** With fewer attempts a trial says that the receiver is there, no more. */
const SPARSE = 30;

/** With fewer than this, a hundred times as many are still few. */
const SCARCE = 6;

/**
 * Plays a scenario once and judges the receiver. It is broken off where the receiver is so far behind that waiting for the
 * rest would only cost time.
 *
 * @throws LabError `no-receiver` when no attempt got a connection, `bad-options` when there was nothing to post in a trial
 *   that counts
 */
export async function playTrial(scenario: Scenario, options: TrialOptions): Promise<PlayedTrial> {
  const { value, length, pass, lateMs, run, isKept, onStart } = options;
  const watch = new Watch(Math.max(HOPELESS_MS[length], HOPELESS_TIMES * Math.max(0, ...boundsMs(pass))));
  const signals = [watch.signal, run.signal].filter((signal) => signal !== undefined);
  try {
    const { result } = await runScenario(
      // A trial ends with its traffic: what waits then is what it measures.
      { ...scenario, drainMs: 0 },
      {
        ...run,
        signal: AbortSignal.any(signals),
        onStart(start) {
          watch.begin(() => start.progress());
          onStart?.(() => start.progress());
        },
      },
    );
    const wasInterrupted = run.signal?.aborted === true;
    const attempts = attemptsOf(result);
    if (!wasInterrupted && attempts === 0 && length === "trial") throw nothingToPost();
    if (!wasInterrupted && attempts > 0 && result.attempts.connection === attempts) {
      throw new LabError(
        "no-receiver",
        `no attempt ever got a connection: is the receiver at ${redactedUrl(run.receiver ?? "")} up?`,
      );
    }
    const { brokenOff } = watch;
    const { saturation, due, growth } = watch.meter;
    const judged = judge(result, {
      pass,
      lateMs,
      keptUp: saturation === undefined,
      ...(length === "trial" && growth !== undefined && { growth }),
      ...(brokenOff !== undefined && { brokenOff }),
    });
    // A short trial in which nothing came due says only that the load may grow.
    const hasNothing = attempts === 0 && length === "probe";
    const verdict = wasInterrupted ? "void" : hasNothing ? "passed" : judged.verdict;
    const trial: Trial = {
      value,
      verdict,
      phase: length === "probe" ? "ramp" : "trial",
      reasons: wasInterrupted ? ["stopped by hand"] : hasNothing ? [] : judged.reasons,
      seed: scenario.seed,
      attemptsPerSecond: due > 0 ? due : result.wallMs === 0 ? 0 : (attempts * 1000) / result.wallMs,
      handledPerSecond: saturation?.accepted ?? null,
      p99Ms: result.latencyMs.p99,
      latenessP99Ms: result.latenessMs?.p99 ?? null,
      wallMs: result.wallMs,
      recording: isKept ? run.recording : null,
    };
    const isBeyondGenerator = verdict === "void" && (result.latenessMs?.p50 ?? 0) > lateMs;
    const outcome: Outcome = {
      verdict,
      isSparse: attempts < SPARSE,
      isScarce: attempts < SCARCE,
      ...(wasInterrupted && { isStopped: true }),
      ...(isBeyondGenerator && { isBeyondGenerator }),
      ...(saturation !== undefined && verdict !== "passed" && { handled: saturation.accepted / saturation.due }),
    };
    const use: ConnectionUse = {
      waitingMost: watch.meter.waitingMost,
      attemptsPerSecond: trial.attemptsPerSecond,
      serviceP50Ms: attempts < SPARSE ? null : (result.serviceMs?.p50 ?? null),
      hasPassed: verdict === "passed",
      isRamp: length === "probe",
    };
    return { trial, outcome, use };
  } finally {
    watch.end();
  }
}

function nothingToPost(): LabError {
  return new LabError("bad-options", "no event came into being in a whole trial, so nothing can be judged", {
    hint: "let it last longer or go faster: --set lasts=10m --pace 10x",
  });
}

/** Looks whether a trial has become hopeless: what waits takes too long at the rate at which answers come. */
class Watch {
  readonly meter = new LoadMeter();
  readonly #hopelessMs: number;
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  /** Undefined: the trial was not broken off. */
  brokenOff: { readonly reason: string; readonly waitMs: number } | undefined;

  constructor(hopelessMs: number) {
    this.#hopelessMs = hopelessMs;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  begin(progress: () => Progress): void {
    this.#timer = setInterval(() => this.#look(progress()), LOOK_MS);
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #look({ inFlight, accepted, failures }: Progress): void {
    if (this.brokenOff !== undefined) return;
    this.meter.sample({ atMs: performance.now(), answered: accepted + failures, accepted, waiting: inFlight });
    const waitMs = this.meter.waitMs(this.#hopelessMs);
    if (waitMs === undefined || waitMs <= this.#hopelessMs) return;
    const seconds = this.#hopelessMs / 1000;
    const reason = `broken off: ${inFlight} attempts waited, more than ${seconds} s of work at the rate of the answers`;
    this.brokenOff = { reason, waitMs };
    this.#controller.abort();
  }
}
