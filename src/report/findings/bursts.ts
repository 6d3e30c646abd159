import type { TimelineSeries } from "../../measure/index.js";
import { medianOf, periodOf, type BucketRange, sumOf } from "./bucket-ranges.js";

/** Failures that come together, with stretches without any in between. Instants are of the series' clock. */
export interface Bursts {
  readonly count: number;
  readonly lengthMs: number;
  /** Undefined: they come irregularly. */
  readonly periodMs: number | undefined;
}

/** In a burst most attempts fail. */
const FAILED_SHARE = 0.5;
/** Fewer attempts than this in between do not end a burst. */
const BETWEEN = 5;
/** Bursts have at least this many failures each, by the median… */
const PER_BURST = 3;
/** …together this share of all failures… */
const IN_BURSTS = 0.8;
/** …and at most this share of all attempts; where most attempts fail, it is no burst. */
const OF_ATTEMPTS = 0.5;
const BURSTS_LEAST = 2;
/** With fewer bursts than this there is no period. */
const PERIODIC_LEAST = 3;

/** How failures come in bursts; undefined where they do not. */
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
