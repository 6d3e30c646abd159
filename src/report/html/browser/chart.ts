/// <reference lib="dom" />
import type uPlotType from "uplot";
import type { ChartData, PageData, SeriesData } from "./data.js";
import { formatAxisTime, axisTimeUnit, tickSteps, formatValue } from "./value-format.js";

/** A global of uPlot's script, which the page includes before this one. */
declare const uPlot: typeof uPlotType;

/** A colour of the style sheet, for the current light or dark scheme. */
export function colourOf(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** Draws a chart into an element; the cursors of all charts move together. */
export function drawChart(place: HTMLElement, chart: ChartData, page: PageData): uPlotType {
  const { xMs, series, isStacked } = chart;
  const drawn = isStacked ? stacked(series) : series.map(({ values }) => [...values]);
  return new uPlot(
    {
      ...commonOptions(place, page),
      scales: { x: { time: false, range: [0, page.untilMs] }, y: { ...scaleOf(chart) } },
      axes: [timeAxis(page), valueAxis(chart)],
      series: [
        { label: page.axisName, value: (_plot, ms) => (ms === null ? "–" : formatAxisTime(ms, page.untilMs)) },
        ...series.map((one) => lineOf(one, chart)),
      ],
    },
    [[...xMs], ...drawn],
    place,
  );
}

/** The options that all charts share. */
export function commonOptions(
  place: HTMLElement,
  page: PageData,
): Pick<uPlotType.Options, "width" | "height" | "cursor" | "legend" | "hooks"> {
  return {
    width: place.clientWidth,
    height: 190,
    cursor: { sync: { key: "run", setSeries: false }, drag: { x: true, y: false }, y: false },
    legend: { live: true },
    hooks: { draw: [(plot) => drawMarks(plot, page)] },
  };
}

/** The horizontal axis of all charts. */
export function timeAxis(page: PageData): uPlotType.Axis {
  return {
    ...axisColours(),
    incrs: tickSteps,
    size: 24,
    space: 60,
    label: `${page.axisName}, ${axisTimeUnit(page.untilMs)}`,
    labelSize: 18,
    labelFont: `11px ${FONT}`,
    labelGap: 0,
    values: (_plot, ticks) => ticks.map((ms) => formatAxisTime(ms, page.untilMs)),
  };
}

/** The font of axes and labels. */
export const FONT = "system-ui, sans-serif";

/** Colours and font of an axis. */
export function axisColours(): uPlotType.Axis {
  const line = { stroke: colourOf("line"), width: 1 };
  return { stroke: colourOf("soft"), font: `11px ${FONT}`, grid: line, ticks: { ...line, size: 4 } };
}

function valueAxis({ unit, isLog }: ChartData): uPlotType.Axis {
  return {
    ...axisColours(),
    ...(isLog && onlyPowersOfTen()),
    size: 64,
    space: 28,
    values: (_plot, ticks) => ticks.map((value) => (value === null ? "" : formatValue(value, unit))),
  };
}

/** On a logarithmic scale only the ticks at powers of ten are drawn and labelled. */
export function onlyPowersOfTen(): uPlotType.Axis {
  const filter = (_plot: uPlotType, ticks: readonly number[]): (number | null)[] =>
    ticks.map((value) => (isPower(value) ? value : null));
  const { grid = {}, ticks = {} } = axisColours();
  return { filter, grid: { ...grid, filter }, ticks: { ...ticks, filter } };
}

function isPower(value: number): boolean {
  const power = Math.log10(value);
  return Math.abs(power - Math.round(power)) < 1e-6;
}

function scaleOf({ isLog, max }: ChartData): uPlotType.Scale {
  if (isLog) return { distr: 3 };
  return { range: (_plot, _least, most) => [0, max ?? Math.max(most * 1.08, 1e-3)] };
}

function lineOf({ label, colour, dash, values }: SeriesData, chart: ChartData): uPlotType.Series {
  const ink = colourOf(colour);
  return {
    label,
    stroke: ink,
    width: 1.5,
    dash: dash && [...dash],
    ...(chart.isStacked && { fill: ink }),
    points: { show: chart.hasPoints, size: 4, stroke: ink, fill: ink },
    // A stack is drawn by its sums; the legend shows each series' own value.
    value: (_plot, _sum, _series, at) => {
      const value = at === null ? null : values[at];
      return value === null || value === undefined ? "–" : formatValue(value, chart.unit);
    },
  };
}

/** Sums from the last series to the first: the first series, which is drawn first, is the total. */
function stacked(series: readonly SeriesData[]): (number | null)[][] {
  const sums: (number | null)[][] = series.map(({ values }) => [...values]);
  for (let part = sums.length - 2; part >= 0; part--) {
    const below = sums[part + 1] ?? [];
    sums[part] = (sums[part] ?? []).map((value, at) => (value ?? 0) + (below[at] ?? 0));
  }
  return sums;
}

/** Draws a dotted line at each mark. */
export function drawMarks(plot: uPlotType, { marks }: PageData): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = colourOf("mark");
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([2 * devicePixelRatio, 4 * devicePixelRatio]);
  for (const { atMs } of marks) {
    const left = Math.round(plot.valToPos(atMs, "x", true));
    if (left < bbox.left || left > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(left, bbox.top);
    ctx.lineTo(left, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}
