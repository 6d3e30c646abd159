import {
  type HostPressure,
  type SeriesPressure,
  sumOf,
  type TimelineSeries,
  type WallSpan,
} from "../../measure/index.js";

/** How busy other programs kept this machine during a run. Plain JSON. */
export interface HostMeasures {
  /** Wall seconds from the begin of the run to its last answer. */
  readonly seconds: number;
  /** Number of these seconds in which other programs kept this machine busy. */
  readonly busySeconds: number;
  /** The busy periods: wall milliseconds since the run began. `share` is the busy share of the period, on average. */
  readonly busy: readonly (WallSpan & { readonly share: number })[];
  /**
   * The most tasks of other programs that wanted each core in a busy second; absent when there was none, or they were
   * not counted.
   */
  readonly othersPerCore?: number;
  /**
   * Number of requests by which findings judge the receiver's speed; below, the number left out because of busy
   * seconds.
   */
  readonly judged: number;
  readonly leftOut: number;
}

/** Below this share, or this number of requests, too little is left to judge the receiver's speed. */
const JUDGED_SHARE = 0.25;
const JUDGED_LEAST = 10;

/** Whether the machine was so busy that too little is left to judge the receiver's speed. */
export function isTooBusy({ judged, leftOut }: Pick<HostMeasures, "judged" | "leftOut">): boolean {
  return leftOut > judged && judged < Math.max(JUDGED_LEAST, JUDGED_SHARE * (judged + leftOut));
}

/** The begin and the end of a run on the wall clock of its sender; undefined when no request was written. */
function wallExtent(series: TimelineSeries, beginsMs: number | undefined): WallSpan | undefined {
  const { served, wallFromMs, wallUntilMs } = series;
  let [fromMs, untilMs] = [beginsMs ?? Infinity, -Infinity];
  served.forEach((count, bucket) => {
    if (count === 0) return;
    fromMs = Math.min(fromMs, wallFromMs[bucket] ?? Infinity);
    untilMs = Math.max(untilMs, wallUntilMs[bucket] ?? 0);
  });
  return untilMs < fromMs ? undefined : { fromMs, untilMs };
}

/** The busy seconds of a run, as its result has them. @param run - `beginsMs`: on the wall clock; undefined: unknown */
export function hostMeasures(
  host: HostPressure,
  {
    series,
    beginsMs: begins,
    isLeftOut,
  }: { readonly series: TimelineSeries; readonly beginsMs: number | undefined } & Pick<SeriesPressure, "isLeftOut">,
): HostMeasures {
  const extent = wallExtent(series, begins);
  if (extent === undefined) return { seconds: 0, busySeconds: 0, busy: [], judged: 0, leftOut: 0 };
  const { fromMs: beginsMs, untilMs: endsMs } = extent;
  const leftOut = series.served.reduce((sum, count, bucket) => sum + count * (isLeftOut[bucket] ?? 0), 0);
  const during = host.busySeconds().filter(({ atMs }) => atMs < endsMs && atMs + 1000 > beginsMs);
  const busy = host
    .busySpans()
    .filter((span) => span.fromMs < endsMs && span.untilMs > beginsMs)
    .map(({ fromMs, untilMs }) => {
      const within = during.filter(({ atMs }) => atMs >= fromMs && atMs < untilMs);
      const share = within.reduce((sum, one) => sum + one.share, 0) / Math.max(1, within.length);
      return {
        fromMs: Math.max(0, Math.round(fromMs - beginsMs)),
        untilMs: Math.round(Math.min(untilMs, endsMs) - beginsMs),
        share: Number(share.toFixed(3)),
      };
    });
  const busyMs = busy.reduce((sum, span) => sum + span.untilMs - span.fromMs, 0);
  const seconds = Math.max(1, Math.ceil((endsMs - beginsMs) / 1000));
  const others = during.flatMap(({ othersPerCore }) => othersPerCore ?? []);
  return {
    seconds,
    busySeconds: busy.length === 0 ? 0 : Math.min(seconds, Math.max(1, Math.round(busyMs / 1000))),
    busy,
    ...(others.length > 0 && { othersPerCore: Number(Math.max(...others).toFixed(1)) }),
    judged: sumOf(series.served, [0, series.served.length]) - leftOut,
    leftOut,
  };
}
