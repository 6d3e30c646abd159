import { LabError, type Progress, runScenario, type RunOptions, type RunResult } from "../lab/index.js";
import type { Scenario } from "../scenario/index.js";
import { shownUrl } from "../wire/index.js";
import type { Verdict } from "./capacity.js";
import { boundsMs, speaksOfAttempts } from "./pass.js";

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
  /** Later than this at the 99th percentile, and the trial does not count. Wall milliseconds. */
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
    const { result } = await runScenario(scenario, {
      ...run,
      signal: AbortSignal.any(signals),
      onStart(start) {
        watch.begin(() => start.progress());
        onStart?.(() => start.progress());
      },
    });
    checkPlayed(result, run.receiver ?? "");
    const { verdict, reasons } = judge(result, { pass, lateMs, stopped: watch.reason });
    const wasInterrupted = run.signal?.aborted === true;
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

/** Lateness comes first: where our own side was late, the rest says nothing of the receiver. */
function judge(
  result: RunResult,
  { pass, lateMs, stopped }: { pass: readonly string[]; lateMs: number; stopped: string | undefined },
): { verdict: Verdict; reasons: string[] } {
  const late = result.latenessMs?.p99 ?? 0;
  if (late > lateMs) {
    return { verdict: "void", reasons: [`our own side was late: ${ms(late)} at the 99th percentile`] };
  }
  const others = Object.entries(result.attempts).filter(([outcome, count]) => outcome !== "accepted" && count > 0);
  const reasons = result.expectations
    .slice(-pass.length)
    .filter(({ held }) => !held)
    .map(broken);
  if (result.lost > 0) reasons.push(`the ledger does not close: ${result.lost}`);
  if (others.length > 0 && !speaksOfAttempts(pass)) {
    const listed = others.map(([outcome, count]) => `${count} ${outcome}`).join(", ");
    reasons.push(`not all was accepted: ${listed}, of ${attemptsOf(result)} attempts`);
  }
  if (stopped !== undefined) reasons.push(stopped);
  return { verdict: reasons.length === 0 ? "passed" : "failed", reasons };
}

/** `delivery.p99 812 ms, not < 500ms` */
function broken({ text, seen }: { readonly text: string; readonly seen: string }): string {
  const [, metric, rest = ""] = /^(.+?)\s*([=!<>]=?.*)$/.exec(text) ?? [];
  const isSpan = /\d(ms|[smh])$/.test(rest) && /^[\d.]+$/.test(seen);
  return metric === undefined ? `${text}: ${seen}` : `${metric} ${isSpan ? ms(Number(seen)) : seen}, not ${rest}`;
}

function attemptsOf({ attempts }: RunResult): number {
  return Object.values(attempts).reduce((sum, count) => sum + count, 0);
}

function ms(value: number): string {
  return `${value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en-US")} ms`;
}

/** Looks whether a trial has become hopeless: what waits takes too long at the speed at which answers come. */
class Watch {
  readonly #hopelessMs: number;
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #answered: number[] = [];
  reason: string | undefined;

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
    this.reason = `broken off: ${inFlight} attempts waited for an answer, which would have taken longer than ${this.#hopelessMs / 1000} s`;
    this.#controller.abort();
  }
}
