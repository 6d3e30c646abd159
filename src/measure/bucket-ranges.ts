import type { TimelineSeries } from "./timeline.js";

/** A range of buckets; `until` is excluded. */
export type BucketRange = readonly [from: number, until: number];

/** The sum of a series over a range. */
export function sumOf(values: Uint8Array | Uint32Array | Float32Array, [from, until]: BucketRange): number {
  let sum = 0;
  for (let bucket = from; bucket < until; bucket++) sum += values[bucket] ?? 0;
  return sum;
}

/** The greatest value within a range, at least 0. */
export function maxOf(values: Uint32Array | Float32Array, [from, until]: BucketRange): number {
  let max = 0;
  for (let bucket = from; bucket < until; bucket++) max = Math.max(max, values[bucket] ?? 0);
  return max;
}

/** How many requests have entered and not left, at the end of each bucket. */
export function backlogOf(into: Uint32Array, outOf: Uint32Array): Float64Array {
  let open = 0;
  return Float64Array.from(into, (count, bucket) => (open += count - (outOf[bucket] ?? 0)));
}

/** The mean service time of requests that were written within a range; undefined: none was. */
export function meanServiceMs({ served, serviceSumMs }: TimelineSeries, range: BucketRange): number | undefined {
  const count = sumOf(served, range);
  return count === 0 ? undefined : sumOf(serviceSumMs, range) / count;
}

/** The upper median; undefined for no values. */
export function medianOf(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** The ranges in which a predicate is true; up to `gap` buckets without it do not end a range. */
export function rangesWhere(
  count: number,
  isTrue: (bucket: number) => boolean,
  { gap }: { readonly gap: number },
): BucketRange[] {
  const found: [number, number][] = [];
  for (let bucket = 0; bucket < count; bucket++) {
    if (!isTrue(bucket)) continue;
    const last = found.at(-1);
    if (last !== undefined && bucket - last[1] <= gap) last[1] = bucket + 1;
    else found.push([bucket, bucket + 1]);
  }
  return found;
}

/** An interval may differ from the period by this share of the period. */
const PERIOD_TOLERANCE = 0.1;

/** Of five or more instants at least this share has another one at the distance of the period; of fewer, all have. */
const REGULAR_SHARE = 0.75;

/** The period of regular instants; undefined: irregular, or fewer than `least`. */
export function periodOf(atMs: readonly number[], { least }: { readonly least: number }): number | undefined {
  if (atMs.length < least) return undefined;
  const intervals = atMs.slice(1).map((at, index) => at - (atMs[index] ?? 0));
  const period = medianOf(intervals) ?? 0;
  const isPeriod = (ms: number): boolean => Math.abs(ms - period) <= PERIOD_TOLERANCE * period;
  const regular = atMs.filter((at) => atMs.some((other) => isPeriod(Math.abs(at - other)))).length;
  const isRegular = atMs.length < 5 ? intervals.every(isPeriod) : regular >= REGULAR_SHARE * atMs.length;
  return isRegular ? medianOf(intervals.filter(isPeriod)) : undefined;
}
