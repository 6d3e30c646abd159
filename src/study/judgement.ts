import type { RunResult } from "../report/index.js";
import type { LevelVerdict } from "./capacity.js";
import { boundsMs, constrainsAttempts } from "./pass-condition.js";

/** The part of a run's result that the judgement uses. */
export type JudgedResult = Pick<RunResult, "attempts" | "expectations" | "latenessMs" | "lost">;

/** The criteria for a trial. Durations are wall milliseconds. */
export interface JudgeOptions {
  /** Conditions as lines of `expect`: the last expectations of the result. */
  readonly pass: readonly string[];
  /** Up to this p99 lateness the generator is not a possible cause. */
  readonly lateMs: number;
  /** The receiver handled the load, so no queue grew over the whole trial. */
  readonly keptUp?: boolean;
  /** Growth of the waits during the trial, and the wait a minute later (`LoadMeter`). Absent: unknown. */
  readonly growth?: { readonly grownMs: number; readonly inAMinuteMs: number };
  /** How busy other programs kept this machine. Absent: it was quiet. */
  readonly disturbance?: Disturbance;
  /** Why the trial was aborted, and how long the queue would have taken; absent: not aborted. */
  readonly brokenOff?: { readonly reason: string; readonly waitMs: number };
}

/** Other programs kept this machine busy during a trial. */
export interface Disturbance {
  readonly busySeconds: number;
  /** Wall seconds of the trial. */
  readonly seconds: number;
  /** How much longer attempts waited at the end of the quiet time than at its begin, wall milliseconds. */
  readonly quietDeficitMs: number;
}

/** The verdict of a trial. */
export interface TrialJudgement {
  readonly verdict: LevelVerdict;
  /** The failed conditions, or why the trial is void. */
  readonly reasons: string[];
  /** Void because this machine may be the reason why it failed: as `TrialOutcome.doubt`. */
  readonly doubt?: number;
}

/** A request can be delayed by this many stalls of the machine: when sent, when processed, and when answered. */
const STALLS = 3;

/** The growth of a queue counts from this share of the bound on; smaller growth may be chance. */
const GROWN = 0.25;

/** Probability that a trial fails because this machine stalls or is busy, although the receiver can take the load. */
const LATE_DOUBT = 0.3;
const BUSY_DOUBT = 0.5;

/** A failed condition. */
interface Breach {
  readonly reason: string;
  /** Milliseconds above the bound; undefined: lateness cannot cause this breach. */
  readonly excessMs?: number;
}

/**
 * Judges the receiver by one trial.
 *
 * Latency counts from the due time, so it contains the generator's lateness, and a trial that passes with lateness is a
 * pass. A failed trial is void only if lateness can be the cause: each breach is a duration above its bound by less
 * than the largest lateness. A generator that stalls for a second makes the receiver's queue at most a second longer.
 * If the receiver kept up, stalls of the machine may add up, because they also hit a receiver on it.
 *
 * If other programs kept this machine busy, a failed trial is void, too. It counts if the receiver fell behind while the
 * machine was quiet, or if the ledger does not close.
 */
export function judge(result: JudgedResult, options: JudgeOptions): TrialJudgement {
  const judged = judgeQuiet(result, options);
  const { disturbance, pass } = options;
  if (judged.verdict === "passed" || disturbance === undefined || result.lost > 0) return judged;
  const { busySeconds, seconds: total, quietDeficitMs } = disturbance;
  if (quietDeficitMs >= GROWN * Math.min(Infinity, ...boundsMs(pass))) {
    const [first] = judged.verdict === "void" ? [] : judged.reasons;
    const behind = `the receiver fell behind by ${ms(quietDeficitMs)} while this machine was quiet`;
    return { verdict: "failed", reasons: first === undefined ? [behind] : [...judged.reasons, behind] };
  }
  const busy = `other programs kept this machine busy for ${busySeconds} of ${total} s`;
  return { verdict: "void", reasons: [busy, ...judged.reasons], doubt: BUSY_DOUBT };
}

/** Judges a trial as if no other program ran. */
function judgeQuiet(result: JudgedResult, options: JudgeOptions): TrialJudgement {
  const breaches = breachesOf(result, options);
  const growing = breaches.length === 0 ? growingQueue(result, options) : undefined;
  if (growing !== undefined) return { verdict: "failed", reasons: [growing] };
  if (breaches.length === 0) return { verdict: "passed", reasons: [] };
  const { p99, max } = result.latenessMs ?? { p99: null, max: null };
  const causableMs = (max ?? 0) * (options.keptUp === true ? STALLS : 1);
  const isLate = (p99 ?? 0) > options.lateMs;
  const reasons = breaches.map(({ reason }) => reason);
  if (!isLate || !breaches.every(({ excessMs = Infinity }) => excessMs < causableMs)) {
    return { verdict: "failed", reasons };
  }
  const late = `the generator was late: ${ms(p99 ?? 0)} at the 99th percentile, ${ms(max ?? 0)} at most`;
  return { verdict: "void", reasons: [late, ...reasons], doubt: LATE_DOUBT };
}

/**
 * Detects a queue that grows slowly: it breaks no bound in a short trial, but would in a long one. Growth that the
 * generator's own stalls explain is ignored.
 */
function growingQueue({ latenessMs }: JudgedResult, { pass, lateMs, growth }: JudgeOptions): string | undefined {
  const bounds = boundsMs(pass.filter((line) => /^(delivery|latency)\b/.test(line)));
  if (growth === undefined || bounds.length === 0) return undefined;
  const boundMs = Math.min(...bounds);
  const leastMs = boundMs * GROWN + ((latenessMs?.p99 ?? 0) > lateMs ? (latenessMs?.max ?? 0) : 0);
  if (growth.grownMs < leastMs || growth.inAMinuteMs < boundMs) return undefined;
  return `the queue grew: waits rose by ${ms(growth.grownMs)}, and would be ${seconds(growth.inAMinuteMs)} a minute later`;
}

function breachesOf(result: JudgedResult, { pass, brokenOff }: JudgeOptions): Breach[] {
  const breaches: Breach[] = result.expectations
    .slice(-pass.length)
    .filter(({ held }) => !held)
    .map(breachOf);
  if (result.lost > 0) breaches.push({ reason: `the ledger does not close: ${result.lost}` });
  const others = Object.entries(result.attempts).filter(([outcome, count]) => outcome !== "accepted" && count > 0);
  if (others.length > 0 && !constrainsAttempts(pass)) {
    const listed = others.map(([outcome, count]) => `${count} ${outcome}`).join(", ");
    breaches.push({ reason: `not all attempts were accepted: ${listed}, of ${attemptsOf(result)} attempts` });
  }
  if (brokenOff !== undefined) {
    breaches.push({ reason: brokenOff.reason, excessMs: brokenOff.waitMs - Math.max(0, ...boundsMs(pass)) });
  }
  return breaches;
}

/** `delivery.p99 812 ms, not < 500ms` */
function breachOf({ text, seen, metric }: RunResult["expectations"][number]): Breach {
  const [, name, rest = ""] = /^(.+?)\s*([=!<>]=?.*)$/.exec(text) ?? [];
  if (metric === undefined || name === undefined) return { reason: `${text}: ${seen}` };
  const isSpan = metric.unit === "duration" && metric.seen !== null;
  const reason = `${name} ${isSpan ? ms(metric.seen ?? 0) : seen}, not ${rest}`;
  const canBeLateness = isSpan && metric.op.startsWith("<") && !name.startsWith("service");
  return { reason, ...(canBeLateness && { excessMs: (metric.seen ?? 0) - metric.value }) };
}

/** The number of attempts with any outcome. */
export function attemptsOf({ attempts }: Pick<RunResult, "attempts">): number {
  return Object.values(attempts).reduce((sum, count) => sum + count, 0);
}

function seconds(valueMs: number): string {
  return valueMs < 1000 ? ms(valueMs) : `${(valueMs / 1000).toFixed(1)} s`;
}

/** `0.3 ms`, `2,795 ms`. */
export function ms(value: number): string {
  return `${value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en-US")} ms`;
}
