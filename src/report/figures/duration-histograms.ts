/** Cells per doubling: a cell is at most 1/64 of its value wide, so its middle is off by at most 0.8 %. */
const CELLS_PER_DOUBLING = 64;

/** Upper bound in microseconds, 36 minutes: longer durations count as this. */
const MICROSECONDS_MAX = 0x7fff_ffff;

/** Cells of one histogram. */
export const CELL_COUNT: number = cellOfMs(MICROSECONDS_MAX / 1000) + 1;

/** The cell of a duration in milliseconds; a negative one counts as 0. */
export function cellOfMs(spanMs: number): number {
  const microseconds = Math.min(Math.max(0, Math.round(spanMs * 1000)), MICROSECONDS_MAX);
  if (microseconds < CELLS_PER_DOUBLING) return microseconds;
  const shift = 31 - Math.clz32(microseconds) - 6;
  return shift * CELLS_PER_DOUBLING + (microseconds >>> shift);
}

/** The middle of a cell, in milliseconds. */
export function middleOfCellMs(cell: number): number {
  if (cell < 2 * CELLS_PER_DOUBLING) return cell / 1000;
  const shift = Math.floor(cell / CELLS_PER_DOUBLING) - 1;
  const lowest = (cell - shift * CELLS_PER_DOUBLING) * 2 ** shift;
  return (lowest + (2 ** shift - 1) / 2) / 1000;
}

/**
 * Log-linear histograms of durations in one typed array: one for each time bucket, type or group. Percentiles are
 * accurate within 0.8 %, and maxima are exact.
 */
export class DurationHistograms {
  readonly #cells: Uint32Array;
  readonly #counts: Uint32Array;
  readonly #maxMs: Float64Array;

  /** @param size - number of histograms; their indexes begin at 0 */
  constructor(size: number) {
    this.#cells = new Uint32Array(size * CELL_COUNT);
    this.#counts = new Uint32Array(size);
    this.#maxMs = new Float64Array(size);
  }

  add(index: number, spanMs: number): void {
    const at = index * CELL_COUNT + cellOfMs(spanMs);
    this.#cells[at] = (this.#cells[at] ?? 0) + 1;
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    if (spanMs > (this.#maxMs[index] ?? 0)) this.#maxMs[index] = spanMs;
  }

  count(index: number): number {
    return this.#counts[index] ?? 0;
  }

  /** Exact; null: nothing was counted. */
  maxMs(index: number): number | null {
    return this.count(index) === 0 ? null : (this.#maxMs[index] ?? 0);
  }

  /** The percentiles for ascending percentages; null: nothing was counted. */
  percentiles(index: number, percents: readonly number[]): (number | null)[] {
    const count = this.count(index);
    if (count === 0) return percents.map(() => null);
    const maxMs = this.#maxMs[index] ?? 0;
    const found: number[] = [];
    let seen = 0;
    for (let cell = 0; cell < CELL_COUNT && found.length < percents.length; cell++) {
      seen += this.#cells[index * CELL_COUNT + cell] ?? 0;
      while (found.length < percents.length && seen >= Math.ceil(((percents[found.length] ?? 0) / 100) * count)) {
        found.push(Math.min(middleOfCellMs(cell), maxMs));
      }
    }
    return found;
  }

  /** Adds the cells of a histogram to `counts`. */
  addCellsTo(index: number, counts: Uint32Array): void {
    for (let cell = 0; cell < CELL_COUNT; cell++) {
      counts[cell] = (counts[cell] ?? 0) + (this.#cells[index * CELL_COUNT + cell] ?? 0);
    }
  }

  /** Visits the cells of a histogram that are not empty. */
  forEachCell(index: number, visit: (spanMs: number, count: number) => void): void {
    for (let cell = 0; cell < CELL_COUNT; cell++) {
      const count = this.#cells[index * CELL_COUNT + cell] ?? 0;
      if (count > 0) visit(middleOfCellMs(cell), count);
    }
  }
}
