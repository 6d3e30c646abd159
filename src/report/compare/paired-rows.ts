import { middleOfCellMs } from "../figures/duration-histograms.js";
import type { Block } from "./blocks.js";

/** The tests: percentiles of the delivery time, the share of failures, and the shares of all answers. */
export const testedNames = ["p50", "p95", "p99", "failures", "answers"] as const;
export type TestedName = (typeof testedNames)[number];

/** Makes a value for each test. */
export function byName<Value>(make: (name: TestedName) => Value): Record<TestedName, Value> {
  return { p50: make("p50"), p95: make("p95"), p99: make("p99"), failures: make("failures"), answers: make("answers") };
}

/** The tested percentiles, as shares. */
export const percentileShares = { p50: 0.5, p95: 0.95, p99: 0.99 } as const;

/** Cells that are merged for the tests: times are accurate within 3 %, and a round takes microseconds. */
const CELLS_MERGED = 4;

/** Width of a merged cell, in doublings (`duration-histograms.ts`). */
const MERGED_DOUBLINGS = CELLS_MERGED / 64;

/** The blocks of two runs; blocks with the same index are a pair. */
export interface PairedBlocks {
  readonly before: readonly Block[];
  readonly after: readonly Block[];
}

/**
 * The blocks as rows of numbers: counts of the non-empty cells, attempts, failures, then attempts by answer. To swap a
 * pair, its row of `swaps` (after minus before) is added to the sum of one side.
 */
export interface PairedRows {
  readonly before: readonly Float64Array[];
  readonly after: readonly Float64Array[];
  readonly swaps: readonly Float64Array[];
  readonly sum: Float64Array;
  readonly total: Float64Array;
  /** Delivery time of each merged cell, ascending. */
  readonly spansMs: readonly number[];
}

/** Converts blocks to rows, without the cells that are empty in all blocks. */
export function pairedRowsOf({ before, after }: PairedBlocks): PairedRows {
  const all = [...before, ...after];
  const used: number[] = [];
  const cells = all[0]?.cells.length ?? 0;
  for (let cell = 0; cell < cells; cell += CELLS_MERGED)
    if (all.some((block) => countOf(block, cell) > 0)) used.push(cell);
  const kinds = [...new Set(all.flatMap(({ answers }) => Object.keys(answers)))].toSorted();
  const row = (block: Block): Float64Array =>
    Float64Array.from([
      ...used.map((cell) => countOf(block, cell)),
      block.attempts,
      block.failures,
      ...kinds.map((kind) => block.answers[kind] ?? 0),
    ]);
  const [ones, others] = [before.map(row), after.map(row)];
  const sum = sumOf(ones);
  return {
    before: ones,
    after: others,
    swaps: ones.map((one, pair) => one.map((value, at) => (others[pair]?.[at] ?? 0) - value)),
    sum,
    total: sumOf(others).map((value, at) => value + (sum[at] ?? 0)),
    spansMs: used.map((cell) => middleOfCellMs(cell + CELLS_MERGED / 2)),
  };
}

function countOf({ cells }: Block, from: number): number {
  let count = 0;
  for (let cell = from; cell < from + CELLS_MERGED; cell++) count += cells[cell] ?? 0;
  return count;
}

function sumOf(rows: readonly Float64Array[]): Float64Array {
  const sum = new Float64Array(rows[0]?.length ?? 0);
  for (const row of rows) for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + (row[at] ?? 0);
  return sum;
}

/** The differences of the two sides after swapping the pairs for which `isSwapped` returns true. */
export function statisticsOf(sides: PairedRows, isSwapped: () => boolean): Record<TestedName, number> {
  const { swaps, sum, total, spansMs } = sides;
  const one = sum.slice();
  for (const swap of swaps) {
    if (isSwapped()) for (let at = 0; at < one.length; at++) one[at] = (one[at] ?? 0) + (swap[at] ?? 0);
  }
  const other = total.slice();
  for (let at = 0; at < one.length; at++) other[at] = (other[at] ?? 0) - (one[at] ?? 0);
  const size = spansMs.length;
  const share = (side: Float64Array, at: number): number => (side[at] ?? 0) / Math.max(1, side[size] ?? 0);
  let distance = 0;
  for (let at = size + 2; at < one.length; at++) distance += Math.abs(share(other, at) - share(one, at)) / 2;
  const ratio = (part: number): number => Math.log(quantileOf(other, spansMs, part) / quantileOf(one, spansMs, part));
  return {
    p50: ratio(percentileShares.p50),
    p95: ratio(percentileShares.p95),
    p99: ratio(percentileShares.p99),
    failures: share(other, size + 1) - share(one, size + 1),
    answers: distance,
  };
}

/** A quantile of the delivery times in a row, in milliseconds. */
export function quantileOf(row: Float64Array, spansMs: readonly number[], part: number): number {
  let count = 0;
  for (let cell = 0; cell < spansMs.length; cell++) count += row[cell] ?? 0;
  let left = part * count;
  for (let cell = 0; cell < spansMs.length; cell++) {
    const here = row[cell] ?? 0;
    left -= here;
    // Interpolated within the cell: steps of 4 % would hide smaller differences.
    if (left <= 0)
      return Math.max(spansMs[cell] ?? 0, 0.001) * 2 ** ((0.5 + left / Math.max(1, here)) * MERGED_DOUBLINGS);
  }
  return 0.001;
}
