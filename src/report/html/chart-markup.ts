import { type Figures } from "../figures/index.js";
import type { TitledChart } from "./charts.js";
import { html, type Markup } from "./markup.js";
import type { HeatData, SeriesData, Unit } from "./browser/data.js";
import { formatValue } from "./browser/value-format.js";

/** The element that a chart is drawn into, its caption, and its numbers as a table for screen readers. */
export function chartFigure({ chart, title, about }: TitledChart): Markup {
  const told = chart.series.map((series) => seriesSummary(series, chart.unit)).join("; ");
  return html`<figure>
    <h3>
      ${title}${chart.unit === "ms" || chart.unit === "" ? "" : html` <span class="soft">${unitWords(chart.unit)}</span>`}
    </h3>
    <figcaption>${about}</figcaption>
    <div class="plot" id="${chart.id}" tabindex="0" role="img" aria-label="${title}. ${told}"></div>
    <details>
      <summary>In numbers</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Series</th>
            <th scope="col" class="n">least</th>
            <th scope="col" class="n">median</th>
            <th scope="col" class="n">most</th>
          </tr>
        </thead>
        <tbody>
          ${chart.series.map((series) => numbersRow(series, chart.unit))}
        </tbody>
      </table>
    </details>
  </figure>`;
}

/** The element that the heat map is drawn into, with its caption. */
export function heatFigure(figures: Figures, heat: HeatData): Markup {
  const { p50, p99, max } = figures.latencyMs;
  const told = `Half of all attempts took ${ms(p50)} or less, 99 of 100 ${ms(p99)} or less, the longest ${ms(max)}.`;
  return html`<figure>
    <h3>Latencies met</h3>
    <figcaption>The stronger the colour, the more attempts; equal steps upwards are equal factors. ${told}</figcaption>
    <div class="plot" id="${heat.id}" tabindex="0" role="img" aria-label="Heat map of delivery times. ${told}"></div>
  </figure>`;
}

function ms(value: number | null): string {
  return value === null ? "–" : formatValue(value, "ms");
}

function unitWords(unit: Unit): string {
  return { "/s": "a second", "/min": "a virtual minute", "%": "percent", ms: "", "": "" }[unit];
}

function statistics({ values }: SeriesData): { least: number; median: number; most: number } | undefined {
  const sorted = values.filter((value) => value !== null).toSorted((a, b) => a - b);
  const [least, median, most] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  if (least === undefined || median === undefined || most === undefined) return undefined;
  return { least, median, most };
}

function seriesSummary(series: SeriesData, unit: Unit): string {
  const found = statistics(series);
  if (found === undefined) return `${series.label}: nothing`;
  const { least, median, most } = found;
  return `${series.label}: ${formatValue(least, unit)} to ${formatValue(most, unit)}, median ${formatValue(median, unit)}`;
}

function numbersRow(series: SeriesData, unit: Unit): Markup {
  const found = statistics(series);
  const cell = (value: number | undefined): string => (value === undefined ? "–" : formatValue(value, unit));
  return html`<tr>
    <th scope="row">${series.label}</th>
    <td class="n">${cell(found?.least)}</td>
    <td class="n">${cell(found?.median)}</td>
    <td class="n">${cell(found?.most)}</td>
  </tr>`;
}
