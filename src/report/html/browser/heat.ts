/// <reference lib="dom" />
import type uPlotType from "uplot";
import { colourOf, drawMarks, commonOptions, axisColours, onlyPowersOfTen, timeAxis } from "./chart.js";
import type { HeatData, PageData } from "./data.js";
import { formatAxisTime, formatValue } from "./value-format.js";

declare const uPlot: typeof uPlotType;

/** Draws the heat map of latencies: the more attempts, the stronger the colour. */
export function drawHeat(place: HTMLElement, heat: HeatData, page: PageData): uPlotType {
  const { boundsMs, columns, columnMs } = heat;
  const [lowest = 0.1, highest = 1] = [boundsMs[0], boundsMs.at(-1)];
  const middles = Array.from({ length: columns }, (_, column) => (column + 0.5) * columnMs);
  return new uPlot(
    {
      ...commonOptions(place, page),
      height: 220,
      scales: { x: { time: false, range: [0, page.untilMs] }, y: { distr: 3, range: [lowest, highest] } },
      axes: [
        timeAxis(page),
        {
          ...axisColours(),
          ...onlyPowersOfTen(),
          size: 64,
          values: (_plot, ticks) => ticks.map((ms) => (ms === null ? "" : formatValue(ms, "ms"))),
        },
      ],
      series: [
        { label: page.axisName, value: (_plot, ms) => (ms === null ? "–" : formatAxisTime(ms, page.untilMs)) },
        {
          label: "most frequent here",
          paths: () => null,
          points: { show: false },
          value: (_plot, _value, _series, at) => (at === null ? "–" : mostFrequent(heat, at)),
        },
      ],
      hooks: { drawAxes: [(plot) => drawCells(plot, heat)], draw: [(plot) => drawMarks(plot, page)] },
    },
    [middles, middles.map(() => lowest)],
    place,
  );
}

function mostFrequent({ boundsMs, counts }: HeatData, column: number): string {
  const rows = boundsMs.length - 1;
  const own = counts.slice(column * rows, (column + 1) * rows);
  const most = Math.max(...own);
  if (!(most > 0)) return "–";
  const row = own.indexOf(most);
  return `${formatValue(boundsMs[row] ?? 0, "ms")} to ${formatValue(boundsMs[row + 1] ?? 0, "ms")}: ${most}`;
}

function drawCells(plot: uPlotType, { boundsMs, columns, columnMs, counts }: HeatData): void {
  const { ctx } = plot;
  const rows = boundsMs.length - 1;
  const most = Math.max(1, ...counts);
  ctx.save();
  ctx.fillStyle = colourOf("heat");
  for (let column = 0; column < columns; column++) {
    const left = plot.valToPos(column * columnMs, "x", true);
    const right = plot.valToPos((column + 1) * columnMs, "x", true);
    for (let row = 0; row < rows; row++) {
      const count = counts[column * rows + row] ?? 0;
      if (count === 0) continue;
      const top = plot.valToPos(boundsMs[row + 1] ?? 1, "y", true);
      const bottom = plot.valToPos(boundsMs[row] ?? 1, "y", true);
      // Logarithmic, so one slow answer among a thousand stays visible.
      ctx.globalAlpha = 0.18 + (0.82 * Math.log1p(count)) / Math.log1p(most);
      ctx.fillRect(left, top, Math.max(1, right - left), bottom - top);
    }
  }
  ctx.restore();
}
