import { backlogOf, medianOf } from "../bucket-ranges.js";
import type { SeriesPressure } from "../series-pressure.js";
import type { TimelineSeries } from "../timeline.js";

/**
 * What a growing service time grows with. `requests`: the number of requests that were served, whatever is in flight, as
 * with a list or a table that grows; `queue`: the requests in flight.
 */
export type TrendCause = "requests" | "queue";

/** Requests without others in flight are the best evidence. The first and the last third need this many of them. */
const ALONE_LEAST = 8;
/** The receiver itself becomes slower if they take this many times as long in the end, and this much longer… */
const ALONE_FACTOR = 2;
const ALONE_MS = 5;
/** …or if they have this share of the whole growth. The queue is the cause if they have at most the other share. */
const ALONE_GROWS = 0.5;
const ALONE_STAYS = 0.2;

/** Else neighbouring buckets show how the service time follows the requests in flight; this many pairs are needed. */
const PAIRS_LEAST = 30;
/** Relative change of the service time by that of the requests in flight: near 1 for a queue, near 0 without one… */
const FOLLOWS = 0.6;
const IGNORES = 0.25;
/** …if one of the two explains the changes this much better than the other (logarithm of the likelihood ratio). */
const EVIDENCE = 10;

/** Only buckets this near to each other are compared, so that the growth itself does not count. */
const NEAR = 4;

/** A bucket with requests, and how many others were in flight when the first of them was written. */
interface LoadedBucket {
  readonly bucket: number;
  readonly inFlight: number;
  readonly serviceMs: number;
}

/**
 * Distinguishes growth with the requests from growth with the queue; undefined: the figures do not show it.
 *
 * @param options - `untilMs`: later buckets are ignored; `growthMs`: of the service time
 */
export function causeOfTrend(
  { widthMs, served, written, ended, serviceSumMs }: TimelineSeries,
  { isLeftOut }: SeriesPressure,
  { untilMs, growthMs }: { readonly untilMs: number; readonly growthMs: number },
): TrendCause | undefined {
  const open = backlogOf(written, ended);
  const buckets: LoadedBucket[] = [];
  served.forEach((count, bucket) => {
    if (count === 0 || isLeftOut[bucket] === 1 || bucket * widthMs >= untilMs) return;
    // The requests of one bucket meet each other, on average half of them.
    const inFlight = Math.max(0, open[bucket - 1] ?? 0) + (count - 1) / 2;
    buckets.push({ bucket, inFlight, serviceMs: (serviceSumMs[bucket] ?? 0) / count });
  });
  return causeByLoneRequests(buckets, growthMs) ?? causeByNeighbours(buckets);
}

/**
 * The service time of requests without others in flight grows only if the receiver itself becomes slower. Such a
 * receiver ends with a queue, so these requests may all come early. Their own first and last thirds are compared first.
 */
function causeByLoneRequests(buckets: readonly LoadedBucket[], growthMs: number): TrendCause | undefined {
  const alone = (part: readonly LoadedBucket[]): LoadedBucket[] => part.filter(({ inFlight }) => inFlight === 0);
  const usualMs = (part: readonly LoadedBucket[]): number => medianOf(part.map(({ serviceMs }) => serviceMs)) ?? 0;
  const [early, late] = endsOf(alone(buckets));
  const [earlyMs, lateMs] = [usualMs(early), usualMs(late)];
  if (early.length >= ALONE_LEAST && lateMs >= Math.max(ALONE_FACTOR * earlyMs, earlyMs + ALONE_MS)) return "requests";
  const [first = [], last = []] = endsOf(buckets).map(alone);
  if (first.length < ALONE_LEAST || last.length < ALONE_LEAST) return undefined;
  // The thirds' middles are two thirds of the run apart.
  const share = (1.5 * (usualMs(last) - usualMs(first))) / growthMs;
  return share >= ALONE_GROWS ? "requests" : share <= ALONE_STAYS ? "queue" : undefined;
}

/** The first and the last third. */
function endsOf(buckets: readonly LoadedBucket[]): [LoadedBucket[], LoadedBucket[]] {
  const third = Math.floor(buckets.length / 3);
  return [buckets.slice(0, third), buckets.slice(buckets.length - third)];
}

/**
 * How the service time follows the requests in flight, between neighbouring buckets: the relative change of the one by
 * that of the other that leaves the least absolute differences, so that outliers have little weight.
 */
function causeByNeighbours(buckets: readonly LoadedBucket[]): TrendCause | undefined {
  const pairs: { readonly load: number; readonly service: number }[] = [];
  buckets.forEach((one, index) => {
    const other = buckets[index + 1];
    if (other === undefined || other.bucket - one.bucket > NEAR) return;
    const load = Math.log((1 + other.inFlight) / (1 + one.inFlight));
    const service = Math.log(other.serviceMs / one.serviceMs);
    if (load !== 0 && Number.isFinite(service)) pairs.push({ load, service });
  });
  if (pairs.length < PAIRS_LEAST) return undefined;
  const follows = slopeOf(pairs);
  const missedBy = (slope: number): number =>
    pairs.reduce((sum, { load, service }) => sum + Math.abs(service - slope * load), Number.MIN_VALUE);
  // The differences have about a Laplace distribution, whose likelihood depends on their mean.
  const evidence = pairs.length * Math.log(missedBy(1) / missedBy(0));
  if (follows >= FOLLOWS && evidence <= -EVIDENCE) return "queue";
  return follows <= IGNORES && evidence >= EVIDENCE ? "requests" : undefined;
}

/** The slope through the origin with the least absolute differences: the weighted median of the pairs' own slopes. */
function slopeOf(pairs: readonly { readonly load: number; readonly service: number }[]): number {
  const slopes = pairs
    .map(({ load, service }) => ({ slope: service / load, weight: Math.abs(load) }))
    .toSorted((a, b) => a.slope - b.slope);
  let left = slopes.reduce((sum, { weight }) => sum + weight, 0) / 2;
  return slopes.find(({ weight }) => (left -= weight) <= 0)?.slope ?? 0;
}
