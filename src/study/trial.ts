import { LabError } from "../base/index.js";
import type { Progress } from "../lab/index.js";
import { type RunOptions, runScenario } from "../run/index.js";
import type { Scenario } from "../scenario/index.js";
import type { WallSpan } from "../measure/index.js";
import type { RunResult } from "../report/index.js";
import { redactedUrl } from "../wire/index.js";
import type { LevelVerdict, TrialOutcome } from "./capacity.js";
import type { TrialConnections } from "./connection-limit.js";
import { attemptsOf, judge } from "./judgement.js";
import { LoadMeter } from "./load-meter.js";
import type { TrialLength } from "./time-budget.js";
import { boundsMs } from "./pass-condition.js";

/** One trial and its result. */
export interface Trial {
  readonly value: number;
  readonly verdict: LevelVerdict;
  /** `ramp`: a short trial that does not count. */
  readonly phase: "ramp" | "trial";
  /** The failed conditions, or why the trial is void, a sentence each; empty: it passed. */
  readonly reasons: readonly string[];
  readonly seed: number;
  /** Attempts due per wall second, under full load. */
  readonly attemptsPerSecond: number;
  /** Attempts that a saturated receiver accepted per second; null: it kept up. */
  readonly handledPerSecond: number | null;
  /** 99th percentile of the delivery time, wall milliseconds; null: nothing was answered. */
  readonly p99Ms: number | null;
  /** 99th percentile of the generator's lateness. */
  readonly latenessP99Ms: number | null;
  readonly wallMs: number;
  /** Wall seconds in which other programs kept this machine busy. Absent: none. */
  readonly busySeconds?: number;
  /** Path; null: deleted. */
  readonly recording: string | null;
}

/** How a trial is played and judged. */
export interface TrialOptions {
  /** The varied value, for `Trial.value`. */
  readonly value: number;
  readonly length: TrialLength;
  /** Conditions as lines of `expect`: the last ones of the scenario. */
  readonly pass: readonly string[];
  /** Up to this p99 lateness the generator is not a possible cause of a failure. Wall milliseconds. */
  readonly lateMs: number;
  readonly run: RunOptions & { readonly recording: string };
  readonly isKept: boolean;
  readonly onStart?: (progress: () => Progress) => void;
}

/** A trial, with what the search and the connection limit need of it. */
export interface PlayedTrial {
  readonly trial: Trial;
  readonly outcome: TrialOutcome;
  readonly use: TrialConnections;
  /** The sentence that the receiver died in this trial; undefined: it did not. */
  readonly death?: string | undefined;
}

/** Interval of the load samples. Wall milliseconds. */
const SAMPLE_MS = 100;

/** A disturbance begins up to this long before it is noticed, and its queue takes this long to drain after it. */
const NOTICED_MS = 100;
const CATCH_UP_MS = 250;

/** With fewer attempts a trial shows only that the receiver answers. */
const SPARSE_ATTEMPTS = 30;

/** With fewer attempts, even a load a hundred times as high is small. */
const SCARCE_ATTEMPTS = 6;

/**
 * Plays a scenario once and judges the receiver. Aborts the trial if the receiver is too far behind to pass.
 *
 * @throws LabError `no-receiver`: no attempt got a connection; `bad-options`: a trial that counts had no event
 */
export async function playTrial(scenario: Scenario, options: TrialOptions): Promise<PlayedTrial> {
  const { value, length, pass, lateMs, run, isKept, onStart } = options;
  const watch = new LoadWatch(hopelessMs(length, pass));
  const signals = [watch.signal, run.signal].filter((signal) => signal !== undefined);
  try {
    const { result } = await runScenario(
      // A trial ends with its traffic, without drain: the queue at the end is part of the measurement.
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
    const death = result.findings?.find(({ kind }) => kind === "death")?.text;
    const { brokenOff } = watch;
    const { saturation, due, growth } = watch.meter;
    const disturbed = watch.disturbedSpans(result);
    const quietSaturation = watch.meter.saturationOutside(disturbed);
    const { busySeconds = 0, seconds = 0 } = result.host ?? {};
    const judged = judge(result, {
      pass,
      lateMs,
      keptUp: saturation === undefined,
      growth,
      brokenOff,
      ...(busySeconds > 0 && {
        disturbance: { busySeconds, seconds, quietDeficitMs: watch.meter.deficitMsOutside(disturbed) },
      }),
    });
    // A short trial without attempts only shows that the load can grow.
    const hasNothing = attempts === 0 && length === "probe";
    const verdict = wasInterrupted ? "void" : hasNothing ? "passed" : judged.verdict;
    const trial: Trial = {
      value,
      verdict,
      phase: length === "probe" ? "ramp" : "trial",
      reasons: wasInterrupted ? ["stopped by hand"] : hasNothing ? [] : [...withoutPeriod(death), ...judged.reasons],
      seed: scenario.seed,
      attemptsPerSecond: due > 0 ? due : result.wallMs === 0 ? 0 : (attempts * 1000) / result.wallMs,
      handledPerSecond: (quietSaturation ?? saturation)?.accepted ?? null,
      p99Ms: result.latencyMs.p99,
      latenessP99Ms: result.latenessMs?.p99 ?? null,
      wallMs: result.wallMs,
      ...(busySeconds > 0 && { busySeconds }),
      recording: isKept ? run.recording : null,
    };
    const isLate = (result.latenessMs?.p50 ?? 0) > lateMs;
    const isBeyondGenerator = verdict === "void" && busySeconds === 0 && isLate;
    const doubt = verdict === "void" && !isBeyondGenerator ? judged.doubt : undefined;
    const handled = verdict === "passed" ? undefined : (quietSaturation ?? saturation);
    const outcome: TrialOutcome = {
      verdict,
      isSparse: attempts < SPARSE_ATTEMPTS,
      isScarce: attempts < SCARCE_ATTEMPTS,
      ...(wasInterrupted && { isStopped: true }),
      ...(isBeyondGenerator && { isBeyondGenerator }),
      doubt,
      isBrokenOff: brokenOff === undefined ? undefined : true,
      handled: handled && handled.accepted / handled.due,
      ...(handled !== undefined && quietSaturation === undefined && { isRough: true }),
    };
    const use: TrialConnections = {
      waitingMost: watch.meter.waitingMost,
      attemptsPerSecond: trial.attemptsPerSecond,
      serviceP50Ms: attempts < SPARSE_ATTEMPTS ? null : (result.serviceMs?.p50 ?? null),
      hasPassed: verdict === "passed",
      isRamp: length === "probe",
    };
    return { trial, outcome, use, death };
  } finally {
    watch.end();
  }
}

/** A sentence as a reason among others. */
function withoutPeriod(sentence: string | undefined): string[] {
  return sentence === undefined ? [] : [sentence.replace(/\.$/, "").replace(/^T/, "t")];
}

function nothingToPost(): LabError {
  return new LabError("bad-options", "a whole trial had no event, so the receiver cannot be judged", {
    hint: "make it longer or faster: --set lasts=10m --pace 10x",
  });
}

/** Samples the load of a trial, and aborts it if the queue would take too long at the rate of the answers. */
class LoadWatch {
  readonly meter = new LoadMeter();
  readonly #hopelessMs: number;
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #beganAt = 0;
  /** Undefined: the trial was not aborted. */
  brokenOff: { readonly reason: string; readonly waitMs: number } | undefined;

  constructor(hopelessMs: number) {
    this.#hopelessMs = hopelessMs;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  begin(progress: () => Progress): void {
    this.#beganAt = performance.now();
    this.#timer = setInterval(() => this.#sampleLoad(progress()), SAMPLE_MS);
  }

  end(): void {
    clearInterval(this.#timer);
  }

  /** When other programs disturbed the receiver, on the clock of the samples. */
  disturbedSpans({ host }: Pick<RunResult, "host">): WallSpan[] {
    return (host?.busy ?? []).map(({ fromMs, untilMs }) => ({
      fromMs: this.#beganAt + fromMs - NOTICED_MS,
      untilMs: this.#beganAt + untilMs + CATCH_UP_MS,
    }));
  }

  #sampleLoad({ inFlight, accepted, failures }: Progress): void {
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

/** A trial is aborted if the queue takes at least this long, wall milliseconds… */
const HOPELESS_MS: Readonly<Record<TrialLength, number>> = { probe: 2_000, trial: 5_000 };

/** …and this many times the longest bound. */
const HOPELESS_TIMES = 4;

/**
 * A trial is aborted if its queue would take longer than this at the rate of the answers. Wall milliseconds.
 *
 * @param pass - the condition of a passed trial, as lines of `expect`
 */
export function hopelessMs(length: TrialLength, pass: readonly string[]): number {
  return Math.max(HOPELESS_MS[length], HOPELESS_TIMES * Math.max(0, ...boundsMs(pass)));
}
