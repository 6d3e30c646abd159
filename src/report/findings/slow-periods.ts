import { medianOf, rangesWhere, type SeriesPressure, type TimelineSeries } from "../../measure/index.js";

/** A period in which nearly all answers took long. Instants are on the series' clock. */
export interface SlowPeriod {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly meanMs: number;
  readonly usualMs: number;
  readonly attempts: number;
}

/** A window is slow if its mean is at least this many times the usual one… */
const SLOW_FACTOR = 3;
/** …and this many milliseconds above it… */
const SLOW_MS = 50;
/** …and in this share of its buckets even the fastest answer is slower than the usual mean. */
const SLOW_SHARE = 0.5;
/** A slow period has at least this many windows… */
const WINDOWS_LEAST = 3;
/** …and in wall time it lasts at least this long. */
const SLOW_LEAST_MS = 500;
/** All periods together have at least this many attempts, and this share of those that are judged. */
const ATTEMPTS_LEAST = 30;
const ATTEMPTS_SHARE = 0.01;
/** The lab itself may be the cause if it was late by this share of a window's mean. */
const OWN_SHARE = 0.5;
/** Windows have on average at least this many attempts, and their number is limited. */
const PER_WINDOW = 10;
const WINDOWS_MOST = 300;

/** What was measured in a window of neighbouring buckets. */
interface Window {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly attempts: number;
  readonly sumMs: number;
  /** Share of the buckets with answers in which even the fastest one took longer than a bound. */
  readonly slowShare: (boundMs: number) => number;
  readonly latenessMaxMs: number;
  readonly othersPerCore: number;
}

/**
 * The slow periods of a receiver, longest first.
 *
 * Buckets in which other programs kept this machine busy are left out. While others compete for the cores, work takes
 * longer by the number of tasks that want each core. So a window must be slower by that factor.
 */
export function slowPeriodsOf(
  series: TimelineSeries,
  { isWall, pressure }: { readonly isWall: boolean; readonly pressure: SeriesPressure },
): SlowPeriod[] {
  const windows = windowsOf(series, pressure);
  const judged = windows.reduce((sum, { attempts }) => sum + attempts, 0);
  const usualMs = medianOf(windows.filter(({ attempts }) => attempts > 0).map(meanOf)) ?? 0;
  const slowMs = Math.max(SLOW_FACTOR * usualMs, usualMs + SLOW_MS);
  const isSlow = (window: Window): boolean =>
    window.attempts > 0 &&
    meanOf(window) > slowMs * (1 + window.othersPerCore) &&
    window.latenessMaxMs < OWN_SHARE * meanOf(window) &&
    window.slowShare(usualMs) >= SLOW_SHARE;
  const periods = rangesWhere(windows.length, (index) => isSlow(windows[index] as Window), { gap: 1 })
    .filter(([from, until]) => until - from >= WINDOWS_LEAST)
    .map(([from, until]) => periodOf(windows.slice(from, until), usualMs))
    .filter(({ fromMs, untilMs }) => !isWall || untilMs - fromMs >= SLOW_LEAST_MS);
  const slow = periods.reduce((sum, { attempts }) => sum + attempts, 0);
  if (slow < Math.max(ATTEMPTS_LEAST, ATTEMPTS_SHARE * judged)) return [];
  return periods.toSorted((a, b) => b.untilMs - b.fromMs - (a.untilMs - a.fromMs));
}

function meanOf({ sumMs, attempts }: Window): number {
  return sumMs / attempts;
}

function periodOf(windows: readonly Window[], usualMs: number): SlowPeriod {
  const attempts = windows.reduce((sum, window) => sum + window.attempts, 0);
  return {
    fromMs: windows[0]?.fromMs ?? 0,
    untilMs: windows.at(-1)?.untilMs ?? 0,
    meanMs: windows.reduce((sum, { sumMs }) => sum + sumMs, 0) / attempts,
    usualMs,
    attempts,
  };
}

/** The buckets that are not left out, in windows of equal size. */
function windowsOf(series: TimelineSeries, { isLeftOut, othersPerCore }: SeriesPressure): Window[] {
  const { widthMs, served, serviceSumMs, serviceMinMs, latenessMaxMs } = series;
  const kept = Array.from(served.keys()).filter((bucket) => isLeftOut[bucket] === 0);
  const total = kept.reduce((sum, bucket) => sum + (served[bucket] ?? 0), 0);
  if (total === 0) return [];
  const size = Math.max(2, Math.ceil(kept.length / WINDOWS_MOST), Math.ceil((PER_WINDOW * kept.length) / total));
  return Array.from({ length: Math.ceil(kept.length / size) }, (_, index) => {
    const buckets = kept.slice(index * size, (index + 1) * size);
    const sum = (values: Uint32Array | Float32Array): number =>
      buckets.reduce((all, bucket) => all + (values[bucket] ?? 0), 0);
    const most = (values: Float32Array): number =>
      buckets.reduce((max, bucket) => Math.max(max, values[bucket] ?? 0), 0);
    const answered = buckets.filter((bucket) => (served[bucket] ?? 0) > 0);
    return {
      fromMs: (buckets[0] ?? 0) * widthMs,
      untilMs: ((buckets.at(-1) ?? 0) + 1) * widthMs,
      attempts: sum(served),
      sumMs: sum(serviceSumMs),
      slowShare: (boundMs) =>
        answered.filter((bucket) => (serviceMinMs[bucket] ?? 0) > boundMs).length / Math.max(1, answered.length),
      latenessMaxMs: most(latenessMaxMs),
      othersPerCore: most(othersPerCore),
    };
  });
}
