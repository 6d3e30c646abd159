import type { Figures } from "../figures/index.js";

/** Stalls that come again. */
export interface Stalls {
  readonly everyMs: number;
  readonly lengthMs: number;
  readonly count: number;
}

/** A bucket belongs to a stall where its slowest attempt took this many times the median, and this much longer. */
const FACTOR = 5;
const LONGER_MS = 20;
const LEAST_STALLS = 4;
/** How far the time between two stalls may be from the usual one. */
const TOLERANCE = 0.25;

/** Stalls at equal distances, from the slowest attempt of each stretch; undefined where there are none. */
export function periodicStalls({ axis, perBucket, latencyMs }: Figures): Stalls | undefined {
  const usual = latencyMs.p50 ?? 0;
  const starts: number[] = [];
  const lengths: number[] = [];
  let isInside = false;
  perBucket.max.forEach((max, bucket) => {
    const isStalled = max !== null && max > Math.max(FACTOR * usual, usual + LONGER_MS);
    if (isStalled && !isInside) {
      starts.push(bucket * axis.widthMs);
      lengths.push(0);
    }
    if (isStalled) lengths[lengths.length - 1] = Math.max(lengths.at(-1) ?? 0, max);
    isInside = isStalled;
  });
  if (starts.length < LEAST_STALLS) return undefined;
  const gaps = starts.slice(1).map((start, index) => start - (starts[index] ?? 0));
  const everyMs = median(gaps);
  const spanMs = (starts.at(-1) ?? 0) - (starts[0] ?? 0);
  const slack = Math.max(TOLERANCE * everyMs, axis.widthMs);
  const regular = gaps.filter((gap) => Math.abs(gap - everyMs) <= slack).length;
  // Stalls that are not told apart, as each bucket has one, have no period.
  if (everyMs <= 2 * axis.widthMs || regular < 0.8 * gaps.length) return undefined;
  return {
    everyMs: spanMs / Math.round(spanMs / everyMs),
    lengthMs: median(lengths),
    count: starts.length,
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
