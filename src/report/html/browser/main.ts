/// <reference lib="dom" />
import type uPlotType from "uplot";
import { drawChart } from "./chart.js";
import type { PageData } from "./data.js";
import { drawHeat } from "./heat.js";

const data = JSON.parse(document.getElementById("charts-data")?.textContent ?? "null") as PageData | null;

/** The current plots with their elements. */
let plots: { readonly place: HTMLElement; readonly plot: uPlotType }[] = [];

function drawAll(page: PageData): void {
  for (const { plot } of plots) plot.destroy();
  plots = [];
  for (const chart of page.charts) {
    const place = document.getElementById(chart.id);
    if (place !== null) plots.push({ place, plot: drawChart(place, chart, page) });
  }
  const { heat } = page;
  const place = heat === undefined ? null : document.getElementById(heat.id);
  if (heat !== undefined && place !== null) plots.push({ place, plot: drawHeat(place, heat, page) });
}

/** Arrow keys move the cursors of all charts while one chart has the focus. */
function moveByKeys(place: HTMLElement, event: KeyboardEvent): void {
  const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 }[event.key];
  const plot = plots.find((one) => one.place === place)?.plot;
  if (step === undefined || plot === undefined) return;
  event.preventDefault();
  const xs = plot.data[0];
  const at = Math.min(Math.max((plot.cursor.idx ?? (step > 0 ? -1 : xs.length)) + step, 0), xs.length - 1);
  const ms = xs[at] ?? 0;
  for (const { plot: each } of plots) each.setCursor({ left: each.valToPos(ms, "x"), top: 10 });
}

if (data !== null) {
  drawAll(data);
  for (const place of document.querySelectorAll<HTMLElement>(".plot")) {
    place.addEventListener("keydown", (event) => moveByKeys(place, event));
    new ResizeObserver(() => {
      const drawn = plots.find((one) => one.place === place);
      if (drawn !== undefined && drawn.plot.width !== place.clientWidth) {
        drawn.plot.setSize({ width: place.clientWidth, height: drawn.plot.height });
      }
    }).observe(place);
  }
  // A chart reads the colours when it is drawn, so a new scheme needs a redraw.
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => drawAll(data));
}
