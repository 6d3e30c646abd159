/**
 * The time axis of the charts. `wall`: wall time since the first attempt was due, for paced runs and `max`. `virtual`:
 * the world's time, for lockstep, whose wall time does not measure the receiver.
 */
export interface Axis {
  readonly kind: "wall" | "virtual";
  /** Begin of the first bucket, in milliseconds of the axis' clock. */
  readonly fromMs: number;
  /** Length of a bucket. */
  readonly widthMs: number;
  readonly count: number;
}

/** Bounds of the number of buckets: a screen shows no more, and fewer hide short events. */
const BUCKETS_MAX = 600;
const BUCKETS_MIN = 60;

/** Wanted items per bucket; with fewer, percentiles are noise. */
const ITEMS_PER_BUCKET = 40;

/** Round bucket widths in milliseconds. */
const WIDTHS_MS: readonly number[] = [
  1,
  2,
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1000),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60_000),
  ...[1, 2, 4, 6, 12, 24].map((hours) => hours * 3_600_000),
];

const DAY_MS = 86_400_000;

/** The time range that an axis covers. */
export interface AxisRange {
  readonly fromMs: number;
  readonly untilMs: number;
  /** Lower bound of the bucket width. */
  readonly leastWidthMs: number;
  /** Number of attempts or events along the axis. */
  readonly itemCount: number;
}

/** An axis with the narrowest round width that fits the bucket limit: 60 for few items, up to 600 for many. */
export function newAxis(kind: Axis["kind"], { fromMs, untilMs, leastWidthMs, itemCount: things }: AxisRange): Axis {
  const spanMs = Math.max(0, untilMs - fromMs);
  const most = Math.min(BUCKETS_MAX, Math.max(BUCKETS_MIN, Math.floor(things / ITEMS_PER_BUCKET)));
  const fits = (widthMs: number): boolean => widthMs >= leastWidthMs && spanMs / widthMs < most;
  const widthMs = WIDTHS_MS.find(fits) ?? Math.ceil(spanMs / most / DAY_MS) * DAY_MS;
  return { kind, fromMs, widthMs, count: Math.max(1, Math.ceil(spanMs / widthMs)) };
}

/** The bucket of an instant; an instant outside the axis goes into the first or last bucket. */
export function bucketOf(axis: Axis, atMs: number): number {
  const bucket = Math.floor((atMs - axis.fromMs) / axis.widthMs);
  return bucket < 0 ? 0 : bucket >= axis.count ? axis.count - 1 : bucket;
}
