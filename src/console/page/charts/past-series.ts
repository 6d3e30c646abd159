import type { PastPoint } from "../../protocol/index.js";
import { formatInstant, showWithin, type TimeFrame } from "../format/index.js";
import { markStepOf } from "./mark-step.js";
import type { ChartAxis, ChartColumns, ChartSeries } from "./series.js";

/** Units of rates, the longest last; `label` is for narrow places. */
const units = [
  { seconds: 1, words: "a virtual second", label: "s" },
  { seconds: 60, words: "a virtual minute", label: "min" },
  { seconds: 3600, words: "a virtual hour", label: "h" },
] as const;

/** A unit of rates in virtual time. */
export type RateUnit = (typeof units)[number];

/**
 * The unit in which the busiest span has at least a few events, so that rates are readable. It is not much longer than
 * a span: one event in 15 seconds is not 240 an hour.
 */
export function rateUnitOf(points: readonly PastPoint[]): RateUnit {
  const most = points.reduce((highest, point) => Math.max(highest, rateOf(point.events, point)), 0);
  const spanS = ((points[0]?.atMs ?? 0) - (points[0]?.fromMs ?? 0)) / 1000;
  const [least, ...longer] = units;
  const fitting = [least, ...longer.filter(({ seconds }) => seconds <= 10 * spanS)];
  return fitting.find(({ seconds }) => most * seconds >= 5) ?? fitting.at(-1) ?? least;
}

/** The rate of a count in a span, per virtual second. */
export function rateOf(count: number, { fromMs, atMs }: Pick<PastPoint, "fromMs" | "atMs">): number {
  return count / (Math.max(1, atMs - fromMs) / 1000);
}

/** The span that contains an instant; undefined: it is not computed yet. The first span includes the start. */
export function spanAt(points: readonly PastPoint[], atMs: number): PastPoint | undefined {
  return points.find((point) => atMs <= point.atMs);
}

/** The series of a whole recording, with a cursor at a moment. x is the middle of each span, in virtual seconds. */
export function pastSeries(
  points: readonly PastPoint[],
  { untilMs, momentMs, frame }: { readonly untilMs: number; readonly momentMs: number; readonly frame: TimeFrame },
): ChartSeries {
  const xs = points.map(({ fromMs, atMs }) => (fromMs + atMs) / 2000);
  const unit = rateUnitOf(points);
  const span = spanAt(points, momentMs);
  const axis: ChartAxis = {
    from: 0,
    to: Math.max(1, untilMs) / 1000,
    marks: (width) => marksOf(untilMs, Math.max(2, Math.floor(width / 90)), frame),
    markLabel: (x) => markLabelAt(x * 1000, untilMs, frame),
    label: (x) => {
      const point = spanAt(points, x * 1000);
      return point === undefined ? formatInstant(x * 1000, frame) : spanWords(point, frame);
    },
    cursor: momentMs / 1000,
    shown: span === undefined ? -1 : points.indexOf(span),
    words: `Of the recording from ${formatInstant(0, frame, "moment")} to ${formatInstant(untilMs, frame, "moment")}${
      span === undefined ? "" : `, last ${spanWords(span, frame)}`
    }`,
  };
  const columns = (valuesOf: readonly ((point: PastPoint) => number | null)[]): ChartColumns => ({
    xs,
    lines: valuesOf.map((valueOf) => points.map(valueOf)),
  });
  return {
    axis,
    none: (points.at(-1)?.atMs ?? -1) < untilMs ? "The recording is being replayed" : undefined,
    rateUnit: unit.words,
    rates: (names) => columns(names.map((name) => (point) => unit.seconds * rateOf(point[name], point))),
    values: (names) => columns(names.map((name) => (point) => point[name])),
  };
}

/** The label of a mark: the time, or at midnight the date. */
function markLabelAt(atMs: number, untilMs: number, frame: TimeFrame): string {
  const minute = formatInstant(atMs, frame, "minute");
  if (showWithin(0, untilMs, frame) === "date-time" && minute === "00:00") return formatInstant(atMs, frame, "date");
  return untilMs < 10 * 60_000 ? formatInstant(atMs, frame) : minute;
}

/** `10:00–10:10` */
export function spanWords({ fromMs, atMs }: Pick<PastPoint, "fromMs" | "atMs">, frame: TimeFrame): string {
  const show = fromMs % 60_000 === 0 && atMs % 60_000 === 0 ? "minute" : "time";
  return `${formatInstant(fromMs, frame, show)}–${formatInstant(atMs, frame, show)}`;
}

/** Marks at full minutes, hours or days of the clock, at most `most`. Virtual seconds. */
function marksOf(untilMs: number, most: number, frame: TimeFrame): number[] {
  const span = untilMs / 1000;
  const step = markStepOf(span, most);
  const [hours = 0, minutes = 0, seconds = 0] = formatInstant(0, frame).split(":").map(Number);
  const first = (step - ((hours * 3600 + minutes * 60 + seconds) % step)) % step;
  return Array.from({ length: Math.max(0, Math.floor((span - first) / step) + 1) }, (_, index) => first + index * step);
}
