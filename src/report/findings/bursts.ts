import { type BucketRange, medianOf, periodOf, sumOf, type TimelineSeries } from "../../measure/index.js";

/** Failures that come in groups, with periods without failures between them. */
export interface Bursts {
  readonly count: number;
  readonly lengthMs: number;
  /** Undefined when the bursts are irregular. */
  readonly periodMs: number | undefined;
}

/** A bucket belongs to a burst if at least this share of its attempts fails. */
const FAILED_SHARE = 0.5;
/** A burst ends after this many attempts without a bad bucket. */
const BETWEEN = 5;
/** The median burst has at least this many failures… */
const PER_BURST = 3;
/** …all bursts together have at least this share of all failures… */
const IN_BURSTS = 0.8;
/** …and at most this share of all attempts: if most attempts fail, the failures are not a burst. */
const OF_ATTEMPTS = 0.5;
const BURSTS_LEAST = 2;
/** A period needs at least this many bursts. */
const PERIODIC_LEAST = 3;

/** The bursts of failures in a series; undefined when the failures are not in bursts. */
export function burstsOf({ widthMs, written, failed }: TimelineSeries): Bursts | undefined {
  const bursts: [number, number][] = [];
  let goodSince = Infinity;
  for (let bucket = 0; bucket < written.length; bucket++) {
    const attempts = written[bucket] ?? 0;
    if (attempts === 0) continue;
    const isBad = (failed[bucket] ?? 0) >= FAILED_SHARE * attempts;
    const last = bursts.at(-1);
    if (isBad && goodSince < BETWEEN && last !== undefined) last[1] = bucket + 1;
    else if (isBad) bursts.push([bucket, bucket + 1]);
    goodSince = isBad ? 0 : goodSince + attempts;
  }
  const all: BucketRange = [0, written.length];
  const failures = bursts.map((burst) => sumOf(failed, burst));
  const inBursts = failures.reduce((sum, count) => sum + count, 0);
  if (bursts.length < BURSTS_LEAST || (medianOf(failures) ?? 0) < PER_BURST) return undefined;
  const isBursty = inBursts >= IN_BURSTS * sumOf(failed, all) && inBursts <= OF_ATTEMPTS * sumOf(written, all);
  if (!isBursty) return undefined;
  return {
    count: bursts.length,
    lengthMs: (medianOf(bursts.map(([from, until]) => until - from)) ?? 0) * widthMs,
    periodMs: periodOf(
      bursts.map(([from]) => from * widthMs),
      { least: PERIODIC_LEAST },
    ),
  };
}
