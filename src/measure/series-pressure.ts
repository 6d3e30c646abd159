import { firstIndex } from "./first-index.js";
import type { HostPressure, WallSpan } from "./host-pressure.js";
import type { TimelineSeries } from "./timeline.js";

/** How other programs on this machine affect what the buckets of a series say about the receiver. */
export interface SeriesPressure {
  /** By bucket: 1 if others kept the machine busy then, so that it says nothing about the receiver. */
  readonly isLeftOut: Uint8Array;
  /** By bucket: 1 if others kept the machine busy for half of the longest wait for an answer. */
  readonly isWaitPressed: Uint8Array;
  /** By bucket: tasks of other programs that wanted each core. */
  readonly othersPerCore: Float32Array;
  /** The part of a span of wall time that is left out, milliseconds. */
  readonly leftOutMs: (fromMs: number, untilMs: number) => number;
}

/** A request says nothing if the machine was busy for this share of its service time. */
const LEFT_OUT_SHARE = 0.5;

/** Queues drain for this long after other programs have used the cores. Milliseconds. */
const AFTER_MS = 1000;
const SECOND_MS = 1000;

/**
 * The pressure on the buckets of a series. A bucket is left out in two cases: its requests were written while the
 * machine was busy, or the machine was busy for half of the time until the last of them ended.
 *
 * @param options - `isWall`: the series' clock is the wall clock, so buckets without requests have a place on it, too
 */
export function seriesPressure(
  series: TimelineSeries,
  host: HostPressure,
  { isWall }: { readonly isWall: boolean },
): SeriesPressure {
  const { served, widthMs, wallFromMs, wallUntilMs } = series;
  if (host.seconds.length === 0) return withoutPressure(series);
  const isLeftOut = new Uint8Array(served.length);
  const isWaitPressed = new Uint8Array(served.length);
  const othersPerCore = new Float32Array(served.length);
  const spans = host.leftOut();
  const leftOutMs = (fromMs: number, untilMs: number): number => overlapMs(spans, fromMs, untilMs);
  served.forEach((count, bucket) => {
    if (count === 0 && !isWall) return;
    const fromMs = isWall ? bucket * widthMs : (wallFromMs[bucket] ?? 0);
    const untilMs = Math.max(isWall ? fromMs + widthMs : fromMs, count === 0 ? 0 : (wallUntilMs[bucket] ?? 0));
    const isWithin = leftOutMs(fromMs, isWall ? fromMs + widthMs : fromMs + 1) > 0;
    if (leftOutMs(fromMs, untilMs) >= LEFT_OUT_SHARE * (untilMs - fromMs)) isWaitPressed[bucket] = 1;
    if (isWithin || isWaitPressed[bucket] === 1) isLeftOut[bucket] = 1;
    othersPerCore[bucket] = othersWithin(host, fromMs - SECOND_MS - AFTER_MS, untilMs);
  });
  return { isLeftOut, isWaitPressed, othersPerCore, leftOutMs };
}

/** The pressure on a machine that runs no other program. */
export function withoutPressure({ served }: TimelineSeries): SeriesPressure {
  const none = new Uint8Array(served.length);
  return {
    isLeftOut: none,
    isWaitPressed: none,
    othersPerCore: new Float32Array(served.length),
    leftOutMs: () => 0,
  };
}

/** The series with no counts in the buckets that are left out. Backlogs cannot be computed from it. */
export function withoutLeftOut(series: TimelineSeries, { isLeftOut }: SeriesPressure): TimelineSeries {
  const kept = <T extends Uint32Array | Float32Array>(values: T): T =>
    values.map((value, bucket) => (isLeftOut[bucket] === 1 ? 0 : value)) as T;
  const { due, answered, heldMs, served, serviceSumMs } = series;
  return {
    ...series,
    due: kept(due),
    answered: kept(answered),
    heldMs: kept(heldMs),
    served: kept(served),
    serviceSumMs: kept(serviceSumMs),
  };
}

/** The most tasks of others in seconds that begin within a span. */
function othersWithin({ seconds }: HostPressure, fromMs: number, untilMs: number): number {
  let others = 0;
  for (
    let at = firstIndex(seconds.length, (index) => (seconds[index]?.atMs ?? 0) > fromMs);
    at < seconds.length;
    at++
  ) {
    const second = seconds[at];
    if (second === undefined || second.atMs >= untilMs) break;
    others = Math.max(others, second.othersPerCore ?? 0);
  }
  return others;
}

function overlapMs(spans: readonly WallSpan[], fromMs: number, untilMs: number): number {
  let sumMs = 0;
  for (let at = firstIndex(spans.length, (index) => (spans[index]?.untilMs ?? 0) > fromMs); at < spans.length; at++) {
    const span = spans[at];
    if (span === undefined || span.fromMs >= untilMs) break;
    sumMs += Math.min(untilMs, span.untilMs) - Math.max(fromMs, span.fromMs);
  }
  return sumMs;
}
