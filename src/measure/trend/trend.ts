import { medianOf } from "../bucket-ranges.js";
import type { HostPressure } from "../host-pressure.js";
import type { LoadModel } from "../load-model.js";
import type { Meter } from "../meter.js";
import { type SeriesPressure, seriesPressure } from "../series-pressure.js";
import type { TimelineSeries } from "../timeline.js";
import { testTrend, type TrendTest } from "./mann-kendall.js";
import { causeOfTrend, type TrendCause } from "./trend-cause.js";

/** The growth of a receiver's service time during a run. Plain JSON. */
export interface Trend {
  /** The service time in the first and in the last tenth of the run. Milliseconds. */
  readonly beginMs: number;
  readonly endMs: number;
  /** Growth in 1,000 requests, milliseconds. */
  readonly perThousandMs: number;
  /** Growth in a minute; absent in lockstep, where wall time does not measure the load. */
  readonly perMinuteMs?: number;
  /** The service time one hour after the end, if it grows as before; absent as `perMinuteMs`. */
  readonly inAnHourMs?: number;
  /** The chance of such a series without a trend. */
  readonly chance: number;
  /** What it grows with: the number of requests served, or those in flight; absent: the figures do not show it. */
  readonly cause?: TrendCause;
}

/** The metric `trend`: growth of the service time in milliseconds, 0 without a trend; null: unknown. */
export function growthMsOf(trend: Trend | "none" | undefined): number | null {
  if (trend === undefined) return null;
  return trend === "none" ? 0 : trend.endMs - trend.beginMs;
}

/** Windows have equal numbers of requests, at least this many; their number is limited. */
const PER_WINDOW = 10;
const WINDOWS_LEAST = 12;
const WINDOWS_MOST = 40;

/** The growth is a trend if it is this large, as a share of the service time at the begin and in milliseconds… */
const GROWTH_SHARE = 0.5;
const GROWTH_MS = 5;
/** …if nearly all later windows are slower than earlier ones, in the whole run… */
const TAU_LEAST = 0.6;
/** …and most of them in each third of it, which excludes a step… */
const THIRDS = 3;
const TAU_OF_THIRD = 0.35;
/** …and if the last third has this share of the growth, which excludes a growth that has ended… */
const SHARE_OF_LAST = 0.12;
/** …and if chance is no explanation. */
const CHANCE_MOST = 1e-4;

/** Windows can be compared if their load differs by this factor at most, or by what chance explains (3 sigma)… */
const LOAD_RATIO = 1.25;
const SIGMAS = 3;
/** …and the tasks of other programs that wanted each core by this many. */
const OTHERS_APART = 0.5;
/** At least this share of all pairs of windows can be compared, and of those that are half a run apart. */
const COMPARED_SHARE = 0.3;

const HOUR_MS = 3_600_000;

/** A window of neighbouring requests. */
interface TrendWindow {
  /** Its middle on the series' clock. */
  readonly atMs: number;
  /** Requests served before its middle. */
  readonly nth: number;
  readonly serviceMs: number;
  readonly requests: number;
  /** Requests per millisecond of the series' clock. */
  readonly load: number;
  readonly othersPerCore: number;
}

/**
 * The growth of the service time; `none`: it does not grow; undefined: too little was measured.
 *
 * Buckets in which other programs kept this machine busy are left out. In the open model and in lockstep, only windows
 * of similar load are compared: a load that rises is no growth of the receiver.
 *
 * @param options - `untilMs`: later buckets are ignored
 */
export function trendOf(
  series: TimelineSeries,
  {
    model,
    pressure,
    untilMs = Infinity,
  }: { readonly model: LoadModel; readonly pressure: SeriesPressure; readonly untilMs?: number },
): Trend | "none" | undefined {
  const windows = windowsOf(series, pressure, untilMs);
  if (windows.length < WINDOWS_LEAST) return undefined;
  const areComparable = (earlier: number, later: number): boolean =>
    areAlike(windows[earlier], windows[later], { ignoresLoad: model === "closed" });
  const byRequests = testBy(windows, ({ nth }) => nth, areComparable);
  if (byRequests === undefined || !isCompared(windows.length, areComparable)) return undefined;
  const tenth = Math.ceil(windows.length / 10);
  const serviceMs = (part: readonly TrendWindow[]): number => medianOf(part.map((window) => window.serviceMs)) ?? 0;
  const [beginMs, endMs] = [serviceMs(windows.slice(0, tenth)), serviceMs(windows.slice(-tenth))];
  if (!isGrowth(byRequests, beginMs, endMs) || !growsInEachThird(windows, areComparable, endMs - beginMs))
    return "none";
  const cause = model === "open" ? causeOfTrend(series, pressure, { untilMs, growthMs: endMs - beginMs }) : "requests";
  const byTime = model === "lockstep" ? undefined : testBy(windows, ({ atMs }) => atMs, areComparable);
  return {
    beginMs,
    endMs,
    perThousandMs: 1000 * byRequests.slope,
    ...(byTime !== undefined && {
      perMinuteMs: 60_000 * byTime.slope,
      inAnHourMs: endMs + HOUR_MS * byTime.slope,
    }),
    chance: byRequests.chance,
    cause,
  };
}

/** The growth of the service time so far. */
export function trendOfMeter(
  { timeline }: Meter,
  { model, host }: { readonly model: LoadModel; readonly host: HostPressure },
): Trend | "none" | undefined {
  const series = timeline.series();
  return trendOf(series, { model, pressure: seriesPressure(series, host, { isWall: timeline.kind === "wall" }) });
}

function testBy(
  windows: readonly TrendWindow[],
  place: (window: TrendWindow) => number,
  areComparable: (earlier: number, later: number) => boolean,
): TrendTest | undefined {
  return testTrend(
    windows.map((window) => ({ x: place(window), y: window.serviceMs })),
    areComparable,
  );
}

function isGrowth({ tau, chance }: TrendTest, beginMs: number, endMs: number): boolean {
  return tau >= TAU_LEAST && chance <= CHANCE_MOST && endMs - beginMs >= Math.max(GROWTH_MS, GROWTH_SHARE * beginMs);
}

/** A step rises in one part of the run only, and a growth that has ended does not rise in the last one. */
function growsInEachThird(
  windows: readonly TrendWindow[],
  areComparable: (earlier: number, later: number) => boolean,
  growthMs: number,
): boolean {
  const size = windows.length / THIRDS;
  return Array.from({ length: THIRDS }, (_, third) => Math.round(third * size)).every((from, third) => {
    const part = windows.slice(from, Math.round((third + 1) * size));
    const test = testBy(
      part,
      ({ nth }) => nth,
      (earlier, later) => areComparable(from + earlier, from + later),
    );
    if (test === undefined || test.tau < TAU_OF_THIRD) return false;
    const riseMs = test.slope * ((part.at(-1)?.nth ?? 0) - (part[0]?.nth ?? 0));
    return third < THIRDS - 1 || riseMs >= SHARE_OF_LAST * growthMs;
  });
}

/** Whether enough pairs of windows are comparable: of all, and of those that are far apart. */
function isCompared(count: number, areComparable: (earlier: number, later: number) => boolean): boolean {
  const shareFrom = (apart: number): number => {
    let [compared, all] = [0, 0];
    for (let earlier = 0; earlier < count; earlier++) {
      for (let later = earlier + apart; later < count; later++) {
        all++;
        if (areComparable(earlier, later)) compared++;
      }
    }
    return compared / Math.max(1, all);
  };
  return shareFrom(1) >= COMPARED_SHARE && shareFrom(Math.floor(count / 2)) >= COMPARED_SHARE;
}

function areAlike(
  one: TrendWindow | undefined,
  other: TrendWindow | undefined,
  { ignoresLoad }: { readonly ignoresLoad: boolean },
): boolean {
  if (one === undefined || other === undefined) return false;
  if (Math.abs(one.othersPerCore - other.othersPerCore) > OTHERS_APART) return false;
  const byChance = SIGMAS * Math.sqrt(1 / one.requests + 1 / other.requests);
  return ignoresLoad || Math.abs(Math.log(one.load / other.load)) <= Math.max(Math.log(LOAD_RATIO), byChance);
}

/** Windows of equal numbers of requests, without the buckets that are left out. */
function windowsOf(
  series: TimelineSeries,
  { isLeftOut, othersPerCore }: SeriesPressure,
  untilMs: number,
): TrendWindow[] {
  const { widthMs, served, serviceSumMs } = series;
  const count = Math.min(served.length, Math.floor(untilMs / widthMs));
  const isKept = (bucket: number): boolean => isLeftOut[bucket] === 0;
  let total = 0;
  for (let bucket = 0; bucket < count; bucket++) if (isKept(bucket)) total += served[bucket] ?? 0;
  const size = Math.max(PER_WINDOW, total / WINDOWS_MOST);
  const windows: TrendWindow[] = [];
  let nth = 0;
  let buckets: { readonly bucket: number; readonly nth: number }[] = [];
  let requests = 0;
  let spanMs = 0;
  for (let bucket = 0; bucket < count; bucket++) {
    const own = served[bucket] ?? 0;
    if (isKept(bucket)) {
      spanMs += widthMs;
      if (own > 0) buckets.push({ bucket, nth: nth + own / 2 });
      requests += own;
    }
    nth += own;
    if (requests < size) continue;
    const means = buckets.map((one) => (serviceSumMs[one.bucket] ?? 0) / (served[one.bucket] ?? 1));
    const middle = buckets[buckets.length >>> 1];
    windows.push({
      atMs: ((middle?.bucket ?? 0) + 0.5) * widthMs,
      nth: middle?.nth ?? 0,
      serviceMs: medianOf(means) ?? 0,
      requests,
      load: requests / spanMs,
      othersPerCore: Math.max(...buckets.map((one) => othersPerCore[one.bucket] ?? 0)),
    });
    [buckets, requests, spanMs] = [[], 0, 0];
  }
  return windows;
}
