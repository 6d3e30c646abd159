import {
  maxOf,
  medianOf,
  periodOf,
  rangesWhere,
  type SeriesPressure,
  sumOf,
  type TimelineSeries,
} from "../../measure/index.js";

/** A period in which the receiver had requests and answered none. Instants are on the series' clock. */
export interface Standstill {
  readonly atMs: number;
  readonly lengthMs: number;
  /** Requests that were unanswered at its end. */
  readonly waiting: number;
  /** True when the generator was late by half the standstill's length or more, and may be the cause. */
  readonly isOwn: boolean;
  /** True when other programs kept this machine busy for half its length or more, and may be the cause. */
  readonly isPressed: boolean;
  /** The most tasks of other programs that wanted each core during it. */
  readonly othersPerCore: number;
}

/** A service time is long if it is this many times the usual one… */
const LONG_FACTOR = 3;
/** …and this many milliseconds above it. */
const LONG_MS = 50;
/** A shorter standstill cannot be distinguished from a slow answer. */
const STANDSTILL_MS = 150;
/** At most this share of the usual answers comes during a standstill: buckets at its edges contain a few. */
const ANSWERED_SHARE = 0.1;
/** At least this many answers are missing. */
const MISSED_LEAST = 2;
/**
 * The generator may be the cause if it was late by this share of the length; other programs, if they kept the machine
 * busy for this share.
 */
const OWN_SHARE = 0.5;
/** A period needs at least this many standstills. */
const PERIODIC_LEAST = 4;

/** The standstills of a receiver, in order of time. */
export function standstillsOf(series: TimelineSeries, pressure: SeriesPressure): Standstill[] {
  const { widthMs, served, serviceMaxMs } = series;
  const usualMs = usualServiceMs(series);
  if (usualMs === undefined) return [];
  const longMs = Math.max(LONG_FACTOR * usualMs, usualMs + LONG_MS);
  const perBucket = usualAnswers(series);
  const isLong = (bucket: number): boolean => (serviceMaxMs[bucket] ?? 0) > longMs;
  return rangesWhere(served.length, isLong, { gap: 1 }).flatMap(([from, until]) => {
    let endMs = 0;
    for (let bucket = from; bucket < until; bucket++) {
      if (isLong(bucket)) endMs = Math.max(endMs, bucket * widthMs + (serviceMaxMs[bucket] ?? 0));
    }
    const lengthMs = endMs - from * widthMs;
    const end = Math.floor(endMs / widthMs);
    const missed = (end - from - 1) * perBucket;
    const answered = sumOf(series.answered, [from + 1, end]);
    if (lengthMs < STANDSTILL_MS || missed < MISSED_LEAST || answered > ANSWERED_SHARE * missed) return [];
    const waiting = sumOf(series.handed, [0, end]) - sumOf(series.ended, [0, end]);
    const isOwn = maxOf(series.latenessMaxMs, [from, end + 1]) >= OWN_SHARE * lengthMs;
    const isPressed = pressure.leftOutMs(from * widthMs, endMs) >= OWN_SHARE * lengthMs;
    const othersPerCore = maxOf(pressure.othersPerCore, [from, end + 1]);
    return [{ atMs: from * widthMs, lengthMs, waiting, isOwn, isPressed, othersPerCore }];
  });
}

/** Regular standstills. */
export interface Stalls {
  readonly count: number;
  readonly lengthMs: number;
  readonly periodMs: number;
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * The stalls among standstills, without those that the lab or its machine may have caused; undefined when they are not
 * periodic.
 */
export function stallsOf(standstills: readonly Standstill[]): Stalls | undefined {
  const others = standstills.filter(({ isOwn, isPressed }) => !isOwn && !isPressed);
  const periodMs = periodOf(
    others.map(({ atMs }) => atMs),
    { least: PERIODIC_LEAST },
  );
  const [first, last] = [others[0], others.at(-1)];
  if (periodMs === undefined || first === undefined || last === undefined) return undefined;
  const lengthMs = medianOf(others.map((one) => one.lengthMs)) ?? 0;
  return { count: others.length, lengthMs, periodMs, fromMs: first.atMs, untilMs: last.atMs + last.lengthMs };
}

/** The median of the mean service times of buckets. */
function usualServiceMs({ served, serviceSumMs }: TimelineSeries): number | undefined {
  const means: number[] = [];
  served.forEach((count, bucket) => count > 0 && means.push((serviceSumMs[bucket] ?? 0) / count));
  return medianOf(means);
}

/** Mean answers per bucket between the first and the last answer. */
function usualAnswers({ answered }: TimelineSeries): number {
  const from = answered.findIndex((count) => count > 0);
  const until = answered.findLastIndex((count) => count > 0) + 1;
  return from < 0 ? 0 : sumOf(answered, [from, until]) / (until - from);
}
