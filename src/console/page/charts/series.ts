import type { SeriesPoint } from "../../protocol/index.js";
import { formatDuration, formatWall } from "../format/index.js";

/** Longest period of live charts, in seconds. */
export const SPAN_S = 600;

const spans = [60, 120, 300, SPAN_S];

/** Columns of a chart: x in seconds, ascending, then a column for each line. */
export interface ChartColumns {
  readonly xs: readonly number[];
  readonly lines: readonly (readonly (number | null)[])[];
}

/** The time axis of a chart. */
export interface ChartAxis {
  /** The ends of the axis, in the unit of the data's x. */
  readonly from: number;
  readonly to: number;
  /** The positions of marks. @param width - of the chart, pixels */
  readonly marks: (width: number) => number[];
  readonly markLabel: (x: number) => string;
  /** The label of an x. */
  readonly label: (x: number) => string;
  /** A vertical line; undefined: none. */
  readonly cursor: number | undefined;
  /** Index of the point whose values the legend shows without a pointer; -1: none. */
  readonly shown: number;
  /** The period of the axis, in words: `In the last 2 min`. */
  readonly words: string;
}

/** Data of charts: seconds of the live lab, or spans of a recording. */
export interface ChartSeries {
  readonly axis: ChartAxis;
  /** Reason why points are missing; undefined: none is missing. */
  readonly none: string | undefined;
  /** Unit of rates: `a second`. */
  readonly rateUnit: string;
  readonly rates: (of: readonly ("events" | "accepted" | "failures")[]) => ChartColumns;
  readonly values: (of: readonly ("p50Ms" | "p99Ms" | "waitingOnPhones")[]) => ChartColumns;
}

/**
 * The last ten minutes of the live lab: x is seconds before the last point, 0 or less.
 *
 * @param isStopped - there are no further points, so the axis ends at the last one, not now
 * @param isOpening - the page is opening the past
 */
export function liveSeries(
  points: readonly SeriesPoint[],
  { isStopped = false, isOpening = false }: { readonly isStopped?: boolean; readonly isOpening?: boolean } = {},
): ChartSeries {
  const last = points.at(-1)?.wallMs ?? 0;
  const shown = points.filter(({ wallMs }) => last - wallMs <= SPAN_S * 1000);
  const xs = shown.map(({ wallMs }) => (wallMs - last) / 1000);
  const columns = (valuesOf: readonly ((point: SeriesPoint) => number | null)[]): ChartColumns => ({
    xs,
    lines: valuesOf.map((valueOf) => shown.map(valueOf)),
  });
  const from = -spanOf(xs);
  const end = isStopped && last > 0 ? formatWall(last) : "now";
  const label = (x: number): string => agoLabel(x, end);
  return {
    axis: {
      from,
      to: 0,
      marks: (width) => {
        const parts = width < 360 ? 2 : from % 300 === 0 ? 5 : 4;
        return Array.from({ length: parts + 1 }, (_, part) => from * (1 - part / parts));
      },
      markLabel: label,
      label,
      cursor: undefined,
      shown: xs.length - 1,
      words: `In the ${isStopped ? "" : "last "}${formatDuration(-1000 * from)}${isStopped ? ` before ${end}, real time` : ""}`,
    },
    none: xs.length > 0 ? undefined : noneOf({ isStopped, isOpening }),
    rateUnit: "a second",
    // The count of a jump over hours is not a rate, and would dwarf all rates for ten minutes.
    rates: (names) => columns(names.map((name) => (point) => (point.isStepped === true ? null : point[name]))),
    values: (names) => columns(names.map((name) => (point) => point[name])),
  };
}

function noneOf({ isStopped, isOpening }: { readonly isStopped: boolean; readonly isOpening: boolean }): string {
  if (isOpening) return "The past is being opened";
  return isStopped ? "No second was measured" : "The first second has not passed";
}

/** Period of a live chart in seconds. The few points of a young lab fill the whole width. */
export function spanOf(xs: readonly number[]): number {
  const seconds = -(xs[0] ?? 0);
  return spans.find((span) => seconds <= span) ?? SPAN_S;
}

/** Describes a line in a sentence, for screen readers: `now 12, between 0 and 40`. */
export function lineSummary(line: readonly (number | null)[], format: (value: number) => string): string {
  const known = line.filter((value) => value !== null);
  const last = known.at(-1);
  if (last === undefined) return "nothing yet";
  // Not Math.min(...known): the number of arguments is limited.
  const least = known.reduce((one, other) => Math.min(one, other));
  const most = known.reduce((one, other) => Math.max(one, other));
  return `last ${format(last)}, between ${format(least)} and ${format(most)}`;
}

/** Labels of the time axis: `now` at its end, before it `30 s`, `2 min`. */
export function agoLabel(x: number, end = "now"): string {
  if (x > -0.5) return end;
  const seconds = Math.round(-x);
  return seconds % 60 === 0 ? `−${seconds / 60} min` : `−${seconds} s`;
}
