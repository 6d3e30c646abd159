import type { RunView, SeriesPoint } from "../../protocol/index.js";
import { formatElapsed } from "../format/index.js";
import { markStepOf } from "./mark-step.js";
import type { ChartColumns, ChartSeries } from "./series.js";

/** Least period of the axis, in seconds, so that a young run's chart does not change its scale each second. */
const LEAST_S = 60;

/**
 * The kept seconds of a run. x is seconds since its start on the clock of its findings, so that a time which a finding
 * names is found on the axis: `0:12:05`.
 */
export function runSeries(
  points: readonly SeriesPoint[],
  { findingsClock, beginsWallMs }: Pick<RunView, "findingsClock" | "beginsWallMs">,
): ChartSeries {
  const isVirtual = findingsClock === "virtual";
  const originMs = isVirtual ? 0 : (beginsWallMs ?? points[0]?.wallMs ?? 0);
  const shown = points.filter(({ wallMs, atMs }) => (isVirtual ? atMs : wallMs) >= originMs);
  const xs = shown.map(({ wallMs, atMs }) => ((isVirtual ? atMs : wallMs) - originMs) / 1000);
  const last = xs.at(-1) ?? 0;
  // Ten minutes are kept: the axis begins where they do, or with the run.
  const from = (xs[0] ?? 0) < LEAST_S ? 0 : (xs[0] ?? 0);
  const to = Math.max(last, from + LEAST_S);
  const columns = (valuesOf: readonly ((point: SeriesPoint) => number | null)[]): ChartColumns => ({
    xs,
    lines: valuesOf.map((valueOf) => shown.map(valueOf)),
  });
  const label = (x: number): string => formatElapsed(x * 1000);
  return {
    axis: {
      from,
      to,
      marks: (width) => marksBetween(from, to, Math.max(2, Math.floor(width / 90))),
      markLabel: label,
      label,
      cursor: undefined,
      shown: xs.length - 1,
      words: `From ${label(from)} to ${label(last)} after the start, ${findingsClock} time`,
    },
    none: xs.length > 0 ? undefined : "The first second has not passed",
    rateUnit: isVirtual ? "a second of real time" : "a second",
    rates: (names) => columns(names.map((name) => (point) => (point.isStepped === true ? null : point[name]))),
    values: (names) => columns(names.map((name) => (point) => point[name])),
  };
}

/** Marks at whole multiples of a step, with at most `most` steps between the ends. */
function marksBetween(from: number, to: number, most: number): number[] {
  const step = markStepOf(to - from, most);
  const first = Math.ceil(from / step) * step;
  return Array.from({ length: Math.max(0, Math.floor((to - first) / step) + 1) }, (_, index) => first + index * step);
}
