import type { ReceivedTable } from "../log/received-table.js";

/** Rows of a sample. */
const SAMPLE_ROWS = 1000;

/** A value of the sample that is not empty. */
export interface SampleCell {
  readonly row: number;
  readonly text: string;
}

/** Up to 1,000 rows, evenly distributed, from which the columns of a log are recognised. */
export class LogSample {
  readonly rows: readonly number[];
  readonly #table: ReceivedTable;
  readonly #cells = new Map<string, readonly SampleCell[]>();

  /** @param rows - the rows to choose from; absent: all */
  constructor(table: ReceivedTable, rows?: readonly number[]) {
    this.#table = table;
    const total = rows?.length ?? table.rowCount;
    const step = Math.max(1, total / SAMPLE_ROWS);
    this.rows = Array.from({ length: Math.ceil(total / step) }, (_, index) => {
      const at = Math.floor(index * step);
      return rows?.[at] ?? at;
    });
  }

  get columns(): readonly string[] {
    return this.#table.names;
  }

  /** The value of a column in a row; empty when the row has none. */
  at(column: string, row: number): string {
    return this.#table.column(column)[row] ?? "";
  }

  /** The values of a column, without empty ones. */
  cells(column: string): readonly SampleCell[] {
    let cells = this.#cells.get(column);
    if (cells === undefined) {
      const values = this.#table.column(column);
      cells = this.rows.flatMap((row) => {
        const text = values[row]?.trim() === "" ? undefined : values[row];
        return text === undefined ? [] : [{ row, text }];
      });
      this.#cells.set(column, cells);
    }
    return cells;
  }

  /** Share of a column's values for which `isTrue` holds; 0 for an empty column. */
  share(column: string, isTrue: (cell: SampleCell) => boolean): number {
    const cells = this.cells(column);
    return cells.length === 0 ? 0 : cells.filter(isTrue).length / cells.length;
  }
}
