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

/** More points than this no screen shows. */
const BUCKETS_MAX = 600;

/** Spans that people read easily: milliseconds. */
const WIDTHS_MS: readonly number[] = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1000),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60_000),
  ...[1, 2, 4, 6, 12, 24].map((hours) => hours * 3_600_000),
];

const DAY_MS = 86_400_000;

/**
 * An axis over a stretch of time: the narrowest of the round widths that needs 600 buckets at most.
 *
 * @param options - `leastWidthMs`: no bucket is narrower
 */
export function newAxis(
  kind: Axis["kind"],
  { fromMs, untilMs, leastWidthMs }: { readonly fromMs: number; readonly untilMs: number; readonly leastWidthMs: number },
): Axis {
  const spanMs = Math.max(0, untilMs - fromMs);
  const fits = (widthMs: number): boolean => widthMs >= leastWidthMs && spanMs / widthMs < BUCKETS_MAX;
  const widthMs = WIDTHS_MS.find(fits) ?? Math.ceil(spanMs / BUCKETS_MAX / DAY_MS) * DAY_MS;
  return { kind, fromMs, widthMs, count: Math.floor(spanMs / widthMs) + 1 };
}

/** The bucket of an instant; what lies beyond an end is in the bucket of that end. */
export function bucketOf(axis: Axis, atMs: number): number {
  const bucket = Math.floor((atMs - axis.fromMs) / axis.widthMs);
  return bucket < 0 ? 0 : bucket >= axis.count ? axis.count - 1 : bucket;
}
