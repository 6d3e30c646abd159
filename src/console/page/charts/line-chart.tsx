import { useEffect, useId, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { colourOf, isDark } from "../design/index.js";
import { type ChartAxis, type ChartColumns, lineSummary } from "./series.js";
import "./line-chart.css";

export interface Line {
  readonly label: string;
  readonly colour: `--chart-${1 | 2 | 3 | 4 | 5}`;
  /** Whether the line is dashed, so that lines differ in more than colour. */
  readonly isDashed?: boolean;
  /** Whether the area under it is tinted. */
  readonly isFilled?: boolean;
}

interface Props {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly data: ChartColumns;
  readonly axis: ChartAxis;
  /** Formats numbers of the legend and the axis. */
  readonly format: (value: number) => string;
  /** Unit of the values, shown after the title: `per second`. */
  readonly unit: string;
  /** Text that replaces the lines while there is no data. */
  readonly none?: string;
}

/**
 * A line chart over time. The legend shows the values under the pointer, else those at the axis' cursor. Screen readers
 * get one sentence a line.
 */
export function LineChart({ title, lines, data, axis, format, unit, none = "Nothing yet" }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | undefined>(undefined);
  const [pointed, setPointed] = useState<number>();
  const id = useId();
  const dark = isDark.value;
  const columns = [data.xs, ...data.lines] as unknown as uPlot.AlignedData;
  const current = useRef({ columns, axis });
  current.current = { columns, axis };
  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const options = optionsOf({ lines, format, element, axis: () => current.current.axis, onPoint: setPointed });
    const made = new uPlot(options, current.current.columns, element);
    chart.current = made;
    const observer = new ResizeObserver(() => made.setSize(sizeOf(element)));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      chart.current = undefined;
    };
    // The lines and formats of a chart do not change.
  }, [dark]);
  useEffect(() => chart.current?.setData(columns), [data, axis.from, axis.to]);
  // uPlot computes the labels of marks only with the axis, which new data of the same span do not change.
  useEffect(() => chart.current?.redraw(false, true), [axis.markLabel(axis.to)]);
  useEffect(() => chart.current?.redraw(false, false), [axis.cursor]);
  const isEmpty = data.lines.every((line) => line.every((value) => value === null));
  const at = pointed !== undefined && pointed < data.xs.length ? pointed : axis.shown;
  const isTimed = pointed !== undefined || axis.cursor !== undefined;
  return (
    <figure class="chart design-frame" aria-labelledby={`${id}-title`}>
      <figcaption class="chart-head">
        <span id={`${id}-title`} class="chart-title">
          {title} <span class="design-muted">{unit}</span>
        </span>
        <span class="chart-legend" aria-hidden="true">
          {lines.map((line, number) => {
            const value = data.lines[number]?.[at];
            return (
              <span key={line.label} class="chart-key design-inline">
                <svg viewBox="0 0 16 4" style={{ color: `var(${line.colour})` }}>
                  <path d="M0 2h16" {...(line.isDashed === true && { "stroke-dasharray": "4 3" })} />
                </svg>
                {line.label}
                <span class="chart-value design-number">
                  {value === null || value === undefined ? "–" : format(value)}
                </span>
              </span>
            );
          })}
          {isTimed && (
            <span class="design-muted design-number">
              {at >= 0 ? axis.label(data.xs[at] ?? 0) : "not computed yet"}
            </span>
          )}
        </span>
      </figcaption>
      <p class="design-unseen">
        {axis.words}:{" "}
        {lines
          .map(({ label }, number) => `${label} ${lineSummary((data.lines[number] ?? []).slice(0, at + 1), format)}`)
          .join("; ")}
        .
      </p>
      <div class="chart-frame">
        <div ref={host} class="chart-plot" aria-hidden="true" />
        {isEmpty && <p class="chart-none design-aside">{none}</p>}
      </div>
    </figure>
  );
}

/** Distances of the axis marks: whole numbers. */
const STEPS = [0, 1, 2, 3, 4, 5, 6, 7, 8]
  .flatMap((power) => [1, 2, 2.5, 5].map((step) => step * 10 ** power))
  .filter(Number.isInteger);

function sizeOf(element: HTMLElement): { width: number; height: number } {
  return { width: Math.max(120, element.clientWidth), height: Math.max(80, element.clientHeight) };
}

function optionsOf({
  lines,
  format,
  element,
  axis: axisNow,
  onPoint,
}: Pick<Props, "lines" | "format"> & {
  readonly element: HTMLElement;
  readonly axis: () => ChartAxis;
  readonly onPoint: (index: number | undefined) => void;
}): uPlot.Options {
  const grid = { stroke: colourOf("--chart-grid"), width: 1 };
  const size = Number.parseFloat(getComputedStyle(element).fontSize);
  const axis = {
    stroke: colourOf("--text-muted"),
    font: `${size}px ${getComputedStyle(element).fontFamily}`,
    grid,
    ticks: { show: false },
  };
  return {
    ...sizeOf(element),
    // Half of the last mark's label extends beyond the chart.
    padding: [8, size * 2.75, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false, setScale: false }, points: { size: 6 } },
    scales: {
      x: { time: false, range: () => [axisNow().from, axisNow().to] },
      y: { range: (_chart, _least, most) => [0, most === null || !(most > 0) ? 1 : most * 1.1] },
    },
    axes: [
      {
        ...axis,
        size: size * 2,
        splits: ({ width }) => axisNow().marks(width),
        values: (_chart, splits) => splits.map(axisNow().markLabel),
      },
      { ...axis, size: size * 4.25, space: size * 1.8, incrs: STEPS, values: (_chart, splits) => splits.map(format) },
    ],
    series: [
      {},
      ...lines.map(({ colour, isDashed, isFilled, label }) => {
        const stroke = colourOf(colour);
        return {
          label,
          stroke,
          width: 1.5,
          points: { show: true, size: 3, fill: stroke, filter: lonePoints },
          ...(isDashed === true && { dash: [5, 4] }),
          ...(isFilled === true && { fill: stroke.replace(/^rgb\((.*)\)$/, "rgba($1, 0.12)") }),
        };
      }),
    ],
    hooks: {
      setCursor: [({ cursor }) => onPoint(cursor.idx ?? undefined)],
      draw: [(chart) => drawCursor(chart, axisNow().cursor)],
    },
  };
}

/** Indexes of values without a neighbour: a line does not show them. */
function lonePoints({ data }: uPlot, series: number): number[] {
  const values = data[series] ?? [];
  const has = (index: number): boolean => values[index] !== null && values[index] !== undefined;
  return Array.from(values.keys()).filter((index) => has(index) && !has(index - 1) && !has(index + 1));
}

/** Draws a vertical line at an x. */
function drawCursor(chart: uPlot, x: number | undefined): void {
  if (x === undefined) return;
  const { ctx, bbox } = chart;
  const left = Math.round(chart.valToPos(x, "x", true));
  ctx.save();
  ctx.strokeStyle = colourOf("--text");
  ctx.setLineDash([]);
  ctx.lineWidth = 2 * devicePixelRatio;
  ctx.beginPath();
  ctx.moveTo(left, bbox.top);
  ctx.lineTo(left, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}
