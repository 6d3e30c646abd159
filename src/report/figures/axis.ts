/**
 * The time along which a run is shown. `wall`: when attempts were due by the wall's clock, from the first one on, for
 * runs that the wall clock leads or the receiver does. `virtual`: the world's own time, for lockstep, where the wall
 * says nothing.
 */
export interface Axis {
  readonly kind: "wall" | "virtual";
  /** Where the first bucket begins: milliseconds of the axis' clock. */
  readonly fromMs: number;
  /** How long a bucket is. */
  readonly widthMs: number;
  readonly count: number;
}

/** More points than this no screen shows; fewer than the least hide what happened. */
const BUCKETS_MAX = 600;
const BUCKETS_MIN = 60;

/** Things in a bucket below which percentiles are but noise. */
const ITEMS_PER_BUCKET = 40;

/** Spans that people read easily: milliseconds. */
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

/** What an axis is to hold. */
export interface AxisRange {
  readonly fromMs: number;
  readonly untilMs: number;
  /** No bucket is narrower. */
  readonly leastWidthMs: number;
  /** How many things are to be shown along it. */
  readonly itemCount: number;
}

/** An axis over a stretch of time: the narrowest of the round widths that needs 60 to 600 buckets, the more the fuller. */
export function newAxis(kind: Axis["kind"], { fromMs, untilMs, leastWidthMs, itemCount: things }: AxisRange): Axis {
  const spanMs = Math.max(0, untilMs - fromMs);
  const most = Math.min(BUCKETS_MAX, Math.max(BUCKETS_MIN, Math.floor(things / ITEMS_PER_BUCKET)));
  const fits = (widthMs: number): boolean => widthMs >= leastWidthMs && spanMs / widthMs < most;
  const widthMs = WIDTHS_MS.find(fits) ?? Math.ceil(spanMs / most / DAY_MS) * DAY_MS;
  return { kind, fromMs, widthMs, count: Math.max(1, Math.ceil(spanMs / widthMs)) };
}

/** The bucket of an instant; what lies beyond an end is in the bucket of that end. */
export function bucketOf(axis: Axis, atMs: number): number {
  const bucket = Math.floor((atMs - axis.fromMs) / axis.widthMs);
  return bucket < 0 ? 0 : bucket >= axis.count ? axis.count - 1 : bucket;
}
