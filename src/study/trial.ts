import { LabError, type Progress, runScenario, type RunOptions, type RunResult } from "../lab/index.js";
import type { Scenario } from "../scenario/index.js";
import { shownUrl } from "../wire/index.js";
import type { Verdict } from "./capacity.js";
import { attemptsOf, judge } from "./judgement.js";
import { boundsMs } from "./pass.js";

/** One trial and what came of it. */
export interface Trial {
  readonly value: number;
  readonly verdict: Verdict;
  /** What did not hold, or why it does not count, in words; empty: it passed. */
  readonly reasons: readonly string[];
  readonly seed: number;
  /** Attempts in each second of the wall's. */
  readonly attemptsPerSecond: number;
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
  /** What has to hold, as lines of `expect`: the last ones of the scenario. */
  readonly pass: readonly string[];
  /** Lateness at the 99th percentile up to which a failure is not the generator's. Wall milliseconds. */
  readonly lateMs: number;
  readonly run: RunOptions & { readonly recording: string };
  readonly isKept: boolean;
  readonly onStart?: (progress: () => Progress) => void;
}

/** How often a trial is looked at while it runs. Wall milliseconds. */
const LOOK_MS = 250;

/** What waits for so long is hopeless, whatever the bounds: wall milliseconds. */
const HOPELESS_MS = 10_000;

/** And so many times the longest bound. */
const HOPELESS_TIMES = 4;

/**
 * Plays a scenario once and judges the receiver. It is broken off where the receiver is so far behind that waiting for the
 * rest would only cost time.
 *
 * @throws LabError `no-receiver` when no attempt got a connection, `bad-options` when there was nothing to post
 */
export async function playTrial(scenario: Scenario, options: TrialOptions): Promise<Trial> {
  const { value, pass, lateMs, run, isKept, onStart } = options;
  const watch = new Watch(Math.max(HOPELESS_MS, HOPELESS_TIMES * Math.max(0, ...boundsMs(pass))));
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
    if (!wasInterrupted) checkPlayed(result, run.receiver ?? "");
    const { brokenOff } = watch;
    const { verdict, reasons } = judge(result, { pass, lateMs, ...(brokenOff !== undefined && { brokenOff }) });
    return {
      value,
      verdict: wasInterrupted ? "void" : verdict,
      reasons: wasInterrupted ? ["stopped by hand"] : reasons,
      seed: scenario.seed,
      attemptsPerSecond: result.wallMs === 0 ? 0 : (attemptsOf(result) * 1000) / result.wallMs,
      p99Ms: result.latencyMs.p99,
      latenessP99Ms: result.latenessMs?.p99 ?? null,
      wallMs: result.wallMs,
      recording: isKept ? run.recording : null,
    };
  } finally {
    watch.end();
  }
}

function checkPlayed(result: RunResult, receiver: string): void {
  const attempts = attemptsOf(result);
  if (attempts === 0) {
    throw new LabError("bad-options", "no event came into being in a whole trial, so nothing can be judged", {
      hint: "let it last longer or go faster: --set lasts=10m --pace 10x",
    });
  }
  if (result.attempts.connection === attempts) {
    throw new LabError("no-receiver", `no attempt ever got a connection: is the receiver at ${shownUrl(receiver)} up?`);
  }
}

/** Looks whether a trial has become hopeless: what waits takes too long at the speed at which answers come. */
class Watch {
  readonly #hopelessMs: number;
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #answered: number[] = [];
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

  /** Little's law: what waits, over what is answered in a second. */
  #look({ inFlight, accepted, failures }: Progress): void {
    const looks = Math.ceil(this.#hopelessMs / 2 / LOOK_MS);
    this.#answered = [...this.#answered, accepted + failures].slice(-looks - 1);
    if (this.#answered.length <= looks) return;
    const [first = 0] = this.#answered;
    const perMs = (accepted + failures - first) / (looks * LOOK_MS);
    if (inFlight <= perMs * this.#hopelessMs || inFlight === 0) return;
    this.brokenOff = {
      reason: `broken off: ${inFlight} attempts waited for an answer, which would have taken longer than ${this.#hopelessMs / 1000} s`,
      waitMs: perMs === 0 ? Infinity : inFlight / perMs,
    };
    this.#controller.abort();
  }
}
