/** What the page's script is given: charts ready to be drawn. Times are milliseconds on the axis' clock. */
export interface PageData {
  /** Where the axis ends; it begins at 0. */
  readonly untilMs: number;
  /** What the axis counts, such as `wall time`. */
  readonly axisName: string;
  readonly charts: readonly ChartData[];
  readonly heat: HeatData | undefined;
  readonly marks: readonly { readonly atMs: number; readonly text: string }[];
}

export interface ChartData {
  /** The element that it is drawn into. */
  readonly id: string;
  readonly unit: Unit;
  readonly isLog: boolean;
  /** Series lie on each other, as parts of a whole. */
  readonly isStacked: boolean;
  /** Single points are drawn, too. */
  readonly hasPoints: boolean;
  readonly xMs: readonly number[];
  readonly series: readonly SeriesData[];
  /** Upper end of the scale where it is known, such as 100 %. */
  readonly max?: number;
}

export type Unit = "ms" | "/s" | "/min" | "%" | "";

export interface SeriesData {
  readonly label: string;
  /** Name of a colour of the style sheet, `--` left out. */
  readonly colour: string;
  /** Lengths of strokes and gaps; absent: a line without gaps. */
  readonly dash?: readonly number[];
  readonly values: readonly (number | null)[];
}

export interface HeatData {
  readonly id: string;
  readonly columnMs: number;
  readonly columns: number;
  /** Lower bounds of the rows in milliseconds, and the upper bound of the last. */
  readonly boundsMs: readonly number[];
  /** Column by column, lowest row first. */
  readonly counts: readonly number[];
}
