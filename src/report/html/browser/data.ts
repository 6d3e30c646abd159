/** Input of the page's script. Times are milliseconds on the axis' clock. */
export interface PageData {
  /** End of the axis, which begins at 0. */
  readonly untilMs: number;
  /** The clock of the axis: `wall time` or `virtual time`. */
  readonly axisName: string;
  readonly charts: readonly ChartData[];
  readonly heat: HeatData | undefined;
  readonly marks: readonly { readonly atMs: number; readonly text: string }[];
}

/** A line chart. */
export interface ChartData {
  /** The element that it is drawn into. */
  readonly id: string;
  readonly unit: Unit;
  readonly isLog: boolean;
  /** Whether the series are stacked. */
  readonly isStacked: boolean;
  /** Whether points are marked. */
  readonly hasPoints: boolean;
  readonly xMs: readonly number[];
  readonly series: readonly SeriesData[];
  /** Fixed upper end of the scale, such as 100 %. */
  readonly max?: number;
}

/** Unit of a chart's values; empty: a count. */
export type Unit = "ms" | "/s" | "/min" | "%" | "";

/** A line of a chart. */
export interface SeriesData {
  readonly label: string;
  /** Name of a colour in the style sheet, without `--`. */
  readonly colour: string;
  /** Lengths of dashes and gaps; absent: solid. */
  readonly dash?: readonly number[];
  readonly values: readonly (number | null)[];
}

/** A heat map of latencies. */
export interface HeatData {
  readonly id: string;
  readonly columnMs: number;
  readonly columns: number;
  /** Lower bounds of the rows in milliseconds, then the upper bound of the last row. */
  readonly boundsMs: readonly number[];
  /** Column by column, lowest row first. */
  readonly counts: readonly number[];
}
