import type { TimelineSeries } from "../../measure/index.js";

/** A stretch of buckets, the end excluded. */
export type BucketRange = readonly [from: number, until: number];

/** The sum of a series over a stretch. */
export function sumOf(values: Uint32Array | Float32Array, [from, until]: BucketRange): number {
  let sum = 0;
  for (let bucket = from; bucket < until; bucket++) sum += values[bucket] ?? 0;
  return sum;
}

/** The greatest value within a stretch, 0 at least. */
export function maxOf(values: Uint32Array | Float32Array, [from, until]: BucketRange): number {
  let max = 0;
  for (let bucket = from; bucket < until; bucket++) max = Math.max(max, values[bucket] ?? 0);
  return max;
}

/** What has come into one series and not yet into another, at the end of each bucket. */
export function backlogOf(into: Uint32Array, outOf: Uint32Array): Float64Array {
  let open = 0;
  return Float64Array.from(into, (count, bucket) => (open += count - (outOf[bucket] ?? 0)));
}

/** The mean service time of what was written within a stretch; undefined where nothing was. */
export function meanServiceMs({ served, serviceSumMs }: TimelineSeries, stretch: BucketRange): number | undefined {
  const count = sumOf(served, stretch);
  return count === 0 ? undefined : sumOf(serviceSumMs, stretch) / count;
}

export function medianOf(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** The stretches for which something is true; up to `gap` buckets where it is not do not end one. */
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

/** An interval may differ from the period by this share of it. */
const PERIOD_TOLERANCE = 0.1;

/** Of five or more instants, this share has a neighbour at the distance of a period; of fewer, all have. */
const REGULAR_SHARE = 0.75;

/** The period of instants that come regularly; undefined for fewer than `least`, and where there is none. */
export function periodOf(atMs: readonly number[], { least }: { readonly least: number }): number | undefined {
  if (atMs.length < least) return undefined;
  const intervals = atMs.slice(1).map((at, index) => at - (atMs[index] ?? 0));
  const period = medianOf(intervals) ?? 0;
  const isPeriod = (ms: number): boolean => Math.abs(ms - period) <= PERIOD_TOLERANCE * period;
  const regular = atMs.filter((at) => atMs.some((other) => isPeriod(Math.abs(at - other)))).length;
  const isRegular = atMs.length < 5 ? intervals.every(isPeriod) : regular >= REGULAR_SHARE * atMs.length;
  return isRegular ? medianOf(intervals.filter(isPeriod)) : undefined;
}
