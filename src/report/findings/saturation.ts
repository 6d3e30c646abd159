import {
  backlogOf,
  type BucketRange,
  meanServiceMs,
  type SeriesPressure,
  sumOf,
  type TimelineSeries,
  withoutLeftOut,
} from "../../measure/index.js";

/** A period in which more was due than the receiver answered. Instants are on the series' clock. */
export interface Saturation {
  readonly answeredPerS: number;
  readonly duePerS: number;
  readonly fromMs: number;
  readonly untilMs: number;
  /** True when it lasted until the load ended. */
  readonly isToEnd: boolean;
  /** At its end: requests that waited for a connection; below, requests on a connection. */
  readonly waiting: number;
  readonly inFlight: number;
  /** From its end until the queue was drained; estimated from the answered rate if the run ended before. */
  readonly drainMs: number;
  /** The run was stopped during it, and the waiting requests were withdrawn. */
  readonly isCutOff: boolean;
  /** Requests waited for a connection nearly all the time. */
  readonly isPoolBusy: boolean;
  /** Mean service time during it, and at low load; undefined: nothing was measured. */
  readonly serviceMs: number | undefined;
  readonly idleServiceMs: number | undefined;
  /** True when the service time does not depend on the load, so that the number of connections limits the rate. */
  readonly isPoolLimit: boolean;
  /** True when the generator itself was late with a quarter of the load or more, and may be the cause. */
  readonly isOwn: boolean;
}

/** The queue grows for at least this long… */
const GROWTH_MS = 3000;
/** …by at least this many requests… */
const GROWTH_LEAST = 20;
/** …and by at least the requests that the receiver answers in this time. */
const GROWTH_WORTH_MS = 1000;
/** The queue counts as low up to this many requests above its minimum, or those answered in this time. */
const LOW_LEAST = 5;
const LOW_MS = 200;
/** Requests of a later quarter of the growth take at least this many times as long as those of the first quarter. */
const HELD_RATIO = 2;
/** If fewer than this share of the windows have an answer, the growth is a silence and no saturation. */
const ANSWERING_SHARE = 0.5;
const WINDOW_MS = 500;
/** It lasts to the end if at most this share of the load during it is due later. */
const LATER_SHARE = 0.05;
/** The pool is busy if requests wait for a connection in at least this share of the buckets. */
const BUSY_SHARE = 0.9;
/** Below this ratio the service time under load equals that at low load. */
const SAME_SERVICE = 1.5;
/** The generator may be the cause if its backlog is at least this share of the receiver's. */
const OWN_SHARE = 0.25;

/**
 * The largest growth of the receiver's queue, if it is a saturation. The generator's own backlog does not count, and the
 * queue does not grow while other programs keep this machine busy.
 */
export function saturationOf(series: TimelineSeries, pressure: SeriesPressure): Saturation | undefined {
  const { widthMs, handed, written, ended } = series;
  const clear = withoutLeftOut(series, pressure);
  const { due, answered, heldMs } = clear;
  const waiting = backlogOf(handed, ended);
  const open = withoutGrowthWhere(pressure.isLeftOut, waiting);
  const lastDue = series.due.findLastIndex((count) => count > 0);
  const growth = growthOf(open, { lastDue, answered, widthMs });
  if (growth === undefined) return undefined;
  const { range, rise, floor } = growth;
  const [from, until] = range;
  const spanMs = (until - from - sumOf(pressure.isLeftOut, range)) * widthMs;
  const answeredPerS = (1000 * sumOf(answered, range)) / spanMs;
  if (spanMs < GROWTH_MS || rise < Math.max(GROWTH_LEAST, (answeredPerS * GROWTH_WORTH_MS) / 1000)) return undefined;
  if (answeringShare(answered, range, { widthMs, answeredPerS, isLeftOut: pressure.isLeftOut }) < ANSWERING_SHARE)
    return undefined;
  const quarter = Math.ceil((until - from) / 4);
  const held = (part: BucketRange): number => sumOf(heldMs, part) / Math.max(1, sumOf(due, part));
  const later = [1, 2, 3].map((nth) => held([from + nth * quarter, Math.min(until, from + (nth + 1) * quarter)]));
  if (Math.max(...later) < HELD_RATIO * held([from, from + quarter])) return undefined;

  const queued = backlogOf(handed, written);
  const inFlight = backlogOf(written, ended);
  // A few events may be due after the traffic, such as `mt_sent` of replies.
  const isToEnd = sumOf(series.due, [until, lastDue + 1]) <= LATER_SHARE * sumOf(series.due, range);
  const end = until - 1;
  const isCutOff = isToEnd && (open.at(-1) ?? 0) > floor;
  const drained = open.findIndex((count, bucket) => bucket > end && count <= floor);
  const busy = open.slice(from, until).filter((_, at) => (queued[from + at] ?? 0) > 0).length;
  const isPoolBusy = busy >= BUSY_SHARE * (until - from);
  const serviceMs = meanServiceMs(clear, range);
  const idleServiceMs = idleServiceTime(clear, range, inFlight);
  const isPoolLimit =
    isPoolBusy && serviceMs !== undefined && idleServiceMs !== undefined && serviceMs < SAME_SERVICE * idleServiceMs;
  return {
    answeredPerS,
    duePerS: (1000 * sumOf(due, range)) / spanMs,
    fromMs: from * widthMs,
    untilMs: until * widthMs,
    isToEnd,
    waiting: queued[end] ?? 0,
    inFlight: isPoolBusy ? inFlight.slice(from, until).reduce((a, b) => Math.max(a, b), 0) : (inFlight[end] ?? 0),
    drainMs: isCutOff
      ? (1000 * (waiting[end] ?? 0)) / answeredPerS
      : ((drained < 0 ? open.length - 1 : drained) - end) * widthMs,
    isCutOff,
    isPoolBusy,
    serviceMs,
    idleServiceMs,
    isPoolLimit,
    isOwn: (backlogOf(series.due, handed)[end] ?? 0) >= OWN_SHARE * (waiting[end] ?? 0),
  };
}

/** The length of a queue at the end of each bucket, without its growth in buckets that are left out. */
function withoutGrowthWhere(isLeftOut: Uint8Array, queue: Float64Array): Float64Array {
  // Growth in earlier spans that are left out, growth in the current one, and the queue at its begin.
  let [before, within, begin] = [0, 0, 0];
  return queue.map((count, bucket) => {
    if (isLeftOut[bucket] === 0) [before, within, begin] = [before + within, 0, count];
    else within = Math.max(0, count - begin);
    return count - before - within;
  });
}

/** The largest rise of the queue, from its last low point to its peak; `floor`: up to this length the queue is low. */
function growthOf(
  open: Float64Array,
  {
    lastDue,
    answered,
    widthMs,
  }: { readonly lastDue: number; readonly answered: Uint32Array; readonly widthMs: number },
): { readonly range: BucketRange; readonly rise: number; readonly floor: number } | undefined {
  let [low, lowAt, rise, peak, from] = [0, -1, 0, -1, -1];
  for (let bucket = 0; bucket <= lastDue; bucket++) {
    const count = open[bucket] ?? 0;
    if (count - low > rise) [rise, peak, from] = [count - low, bucket, lowAt];
    if (count < low) [low, lowAt] = [count, bucket];
  }
  if (peak < 0) return undefined;
  const perMs = sumOf(answered, [from + 1, peak + 1]) / ((peak - from) * widthMs);
  const floor = (from < 0 ? 0 : (open[from] ?? 0)) + Math.max(LOW_LEAST, Math.min(0.05 * rise, perMs * LOW_MS));
  let begin = peak;
  while (begin > from + 1 && (open[begin - 1] ?? 0) > floor) begin--;
  return { range: [begin, peak + 1], rise, floor };
}

/**
 * The share of windows with at least one answer; a window is long enough for 5 answers at the mean rate. Windows that
 * are left out in part do not count.
 */
function answeringShare(
  answered: Uint32Array,
  [from, until]: BucketRange,
  {
    widthMs,
    answeredPerS,
    isLeftOut,
  }: { readonly widthMs: number; readonly answeredPerS: number; readonly isLeftOut: Uint8Array },
): number {
  if (answeredPerS === 0) return 0;
  const buckets = Math.max(1, Math.ceil(Math.max(WINDOW_MS, 5000 / answeredPerS) / widthMs));
  let [windows, answering] = [0, 0];
  for (let at = from; at < until; at += buckets) {
    const window: BucketRange = [at, Math.min(until, at + buckets)];
    if (sumOf(isLeftOut, window) > 0) continue;
    windows++;
    if (sumOf(answered, window) > 0) answering++;
  }
  if (windows === 0) return 0;
  return answering / windows;
}

/**
 * The mean service time at low load: in the buckets before the growth with at most half the peak of requests in flight.
 * If these have too few requests, that of the first requests of the run, a quarter of the peak in number.
 */
function idleServiceTime(
  series: TimelineSeries,
  [from, until]: BucketRange,
  inFlight: Float64Array,
): number | undefined {
  const { served, serviceSumMs } = series;
  const peak = inFlight.slice(from, until).reduce((a, b) => Math.max(a, b), 0);
  const enough = Math.max(2, peak / 4);
  let [count, sumMs] = [0, 0];
  for (let bucket = 0; bucket <= from; bucket++) {
    if ((inFlight[bucket] ?? 0) > peak / 2) continue;
    count += served[bucket] ?? 0;
    sumMs += serviceSumMs[bucket] ?? 0;
  }
  if (count >= enough) return sumMs / count;
  [count, sumMs] = [0, 0];
  for (let bucket = 0; bucket < until && count < enough; bucket++) {
    count += served[bucket] ?? 0;
    sumMs += serviceSumMs[bucket] ?? 0;
  }
  return count === 0 ? undefined : sumMs / count;
}
