import type { TimelineSeries } from "../../measure/index.js";
import { meanServiceMs, medianOf, type BucketRange, rangesWhere, sumOf } from "./bucket-ranges.js";

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
/** A slow period has at least this many windows. */
const WINDOWS_LEAST = 3;
/** In wall time it lasts at least this long. */
const SLOW_LEAST_MS = 500;
/** Windows have on average at least this many attempts, and their number is limited. */
const PER_WINDOW = 10;
const WINDOWS_MOST = 300;

/** The slow periods of a receiver, longest first. */
export function slowPeriodsOf(series: TimelineSeries, { isWall }: { readonly isWall: boolean }): SlowPeriod[] {
  const { widthMs, served, serviceMinMs } = series;
  const count = served.length;
  const total = sumOf(served, [0, count]);
  if (total === 0) return [];
  const size = Math.max(2, Math.ceil(count / WINDOWS_MOST), Math.ceil((PER_WINDOW * count) / total));
  const windows = Math.ceil(count / size);
  const windowRange = (window: number): BucketRange => [window * size, Math.min(count, (window + 1) * size)];
  const means = Array.from({ length: windows }, (_, window) => meanServiceMs(series, windowRange(window)));
  const usualMs = medianOf(means.filter((ms) => ms !== undefined)) ?? 0;
  const slowMs = Math.max(SLOW_FACTOR * usualMs, usualMs + SLOW_MS);
  const isSlow = (window: number): boolean => {
    if ((means[window] ?? 0) <= slowMs) return false;
    let [some, slow] = [0, 0];
    const [from, until] = windowRange(window);
    for (let bucket = from; bucket < until; bucket++) {
      if (served[bucket] === 0) continue;
      some++;
      if ((serviceMinMs[bucket] ?? 0) > usualMs) slow++;
    }
    return slow >= SLOW_SHARE * some;
  };
  return rangesWhere(windows, isSlow, { gap: 1 })
    .filter(([from, until]) => {
      const isLong = !isWall || (until - from) * size * widthMs >= SLOW_LEAST_MS;
      return isLong && until - from >= WINDOWS_LEAST;
    })
    .toSorted(([a, b], [c, d]) => d - c - (b - a))
    .map(([from, until]) => {
      const all: BucketRange = [windowRange(from)[0], windowRange(until - 1)[1]];
      return {
        fromMs: all[0] * widthMs,
        untilMs: all[1] * widthMs,
        meanMs: meanServiceMs(series, all) ?? 0,
        usualMs,
        attempts: sumOf(served, all),
      };
    });
}
