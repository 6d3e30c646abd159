import type { RunResult } from "../report/index.js";
import type { Verdict } from "./capacity.js";
import { boundsMs, speaksOfAttempts } from "./pass.js";

/** The part of a run's result that a trial is judged by. */
export type JudgedResult = Pick<RunResult, "attempts" | "expectations" | "latenessMs" | "lost">;

/** What a trial is judged against. Spans are wall milliseconds. */
export interface JudgeOptions {
  /** What has to hold, as lines of `expect`: the last expectations of the result. */
  readonly pass: readonly string[];
  /** Lateness at the 99th percentile up to which the generator is not suspected. */
  readonly lateMs: number;
  /** Whether the receiver handled the load, so that no queue grew from one end of the trial to the other. */
  readonly keptUp?: boolean;
  /** How much longer attempts waited in the end, and how long they would a minute later (`LoadMeter`). Absent: not known. */
  readonly growth?: { readonly grownMs: number; readonly inAMinuteMs: number };
  /** Why the trial was broken off, and how long what waited would have taken; absent: it was not. */
  readonly brokenOff?: { readonly reason: string; readonly waitMs: number };
}

/** A request may meet as many stalls of the machine: when it is sent, when it is worked on, and when it is answered. */
const STALLS = 3;

/** A queue that grows by this share of the bound does so by more than chance. */
const GROWN = 0.25;

/** Something that did not hold. */
interface Breach {
  readonly reason: string;
  /** By how many milliseconds a span exceeds its bound; undefined: lateness cannot cause such a breach. */
  readonly excessMs?: number;
}

/**
 * Judges the receiver by one trial.
 *
 * Latency counts from the due time and so contains the generator's lateness. A trial that passes with lateness is therefore
 * a pass. A trial that fails is void only where lateness can be the cause: each breach is a span that exceeds its bound by
 * less than the worst lateness. A generator that stalls for a second makes the receiver's queue at most a second longer. Where
 * the receiver kept up, the stalls of a busy machine may add up, as they hit the receiver there, too.
 */
export function judge(
  result: JudgedResult,
  options: JudgeOptions,
): { readonly verdict: Verdict; readonly reasons: string[] } {
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
  return { verdict: "void", reasons: [late, ...reasons] };
}

/**
 * A queue that grows slowly breaks no bound in a short trial, and does in a long one. Where the generator's own stalls may have
 * made it, it counts for nothing.
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
  if (others.length > 0 && !speaksOfAttempts(pass)) {
    const listed = others.map(([outcome, count]) => `${count} ${outcome}`).join(", ");
    breaches.push({ reason: `not all was accepted: ${listed}, of ${attemptsOf(result)} attempts` });
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

/** All attempts of a result, whatever came of them. */
export function attemptsOf({ attempts }: Pick<RunResult, "attempts">): number {
  return Object.values(attempts).reduce((sum, count) => sum + count, 0);
}

function seconds(valueMs: number): string {
  return valueMs < 1000 ? ms(valueMs) : `${(valueMs / 1000).toFixed(1)} s`;
}

function ms(value: number): string {
  return `${value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en-US")} ms`;
}
