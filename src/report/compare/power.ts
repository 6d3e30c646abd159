import type { Block } from "./blocks.js";
import {
  byName,
  type PairedBlocks,
  type PairedRows,
  pairedRowsOf,
  type TestedName,
  testedNames,
} from "./paired-rows.js";

/** Tried changes: factors of the delivery time, and multiples of the failures that chance explains. */
const LATENCY_FACTORS = [1.05, 1.1, 1.2, 1.35, 1.5, 1.75, 2, 2.5, 3, 4, 6, 10] as const;
const FAILURE_MULTIPLES = [1, 1.1, 1.2, 1.35, 1.5, 1.75, 2, 2.5, 3, 4, 5, 6] as const;
/**
 * Quantile of the absolute differences that chance may hide. 0.6 would give a power of 80 %, because chance hides a
 * difference in one direction only; 0.7 allows for the uncertainty of `inflation`.
 */
const CHANCE_QUANTILE = 0.7;
/** Cells per doubling (`duration-histograms.ts`). */
const CELLS_PER_DOUBLING = 64;

/** By test: the absolute differences of all rounds, ascending, and the factor that corrects for autocorrelation. */
export interface Permutations {
  readonly rounds: Readonly<Record<TestedName, Float64Array>>;
  readonly inflation: Readonly<Record<TestedName, number>>;
}

/**
 * Statistical power: the smallest differences that four of five comparisons would find. The run after is made worse in
 * steps, until the difference minus the part that chance can hide exceeds the differences of the permutation rounds.
 * The rounds must be computed for each step, because a true difference widens them, most with few blocks.
 */
export function detectableIn(
  { before, after }: PairedBlocks,
  { level, permuted }: { readonly level: number; readonly permuted: (sides: PairedRows) => Permutations },
): Record<TestedName, number> {
  const same = permuted(pairedRowsOf({ before, after }));
  const spare = byName((name) => quantile(same, name, CHANCE_QUANTILE));
  const base = byName((name) => quantile(same, name, 1 - level) + spare[name]);
  const share = Math.max(base.failures, base.answers);
  const found = byName(() => Infinity);
  const last = byName((name) => ({ difference: 0, margin: -base[name] }));
  LATENCY_FACTORS.forEach((factor, step) => {
    const open = testedNames.filter((name) => found[name] === Infinity);
    if (open.length === 0) return;
    const failed = share * (FAILURE_MULTIPLES[step] ?? 0);
    const cells = Math.round(CELLS_PER_DOUBLING * Math.log2(factor));
    const changed = permuted(pairedRowsOf({ before, after: after.map((block) => worsened(block, cells, failed)) }));
    for (const name of open) {
      const isShare = name === "failures" || name === "answers";
      const difference = isShare ? failed : (cells / CELLS_PER_DOUBLING) * Math.LN2;
      const margin = difference - spare[name] - quantile(changed, name, 1 - level);
      if (margin >= 0) found[name] = crossing(last[name], { difference, margin });
      last[name] = { difference, margin };
    }
  });
  return found;
}

interface Margin {
  readonly difference: number;
  readonly margin: number;
}

/** The difference at which the margin is 0, by linear interpolation. */
function crossing(below: Margin, above: Margin): number {
  const part = above.margin === below.margin ? 1 : -below.margin / (above.margin - below.margin);
  return below.difference + (above.difference - below.difference) * part;
}

function quantile({ rounds, inflation }: Permutations, name: TestedName, part: number): number {
  const { length } = rounds[name];
  return inflation[name] * (rounds[name][Math.min(length - 1, Math.ceil(part * length))] ?? 0);
}

/** A block with delivery times longer by `by` cells, and with a further share of failed attempts. */
function worsened(block: Block, by: number, failed: number): Block {
  const cells = new Uint32Array(block.cells.length);
  block.cells.forEach((count, cell) => {
    const to = Math.min(cells.length - 1, cell === 0 ? 0 : cell + by);
    if (count > 0) cells[to] = (cells[to] ?? 0) + count;
  });
  const more = Math.min(failed * block.attempts, block.answers["accepted"] ?? 0);
  const answers = { ...block.answers, accepted: (block.answers["accepted"] ?? 0) - more, planted: more };
  return { cells, attempts: block.attempts, failures: block.failures + more, answers };
}
