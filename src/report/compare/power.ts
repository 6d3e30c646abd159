import type { Block } from "./blocks.js";
import {
  byName,
  type PairedBlocks,
  type PairedRows,
  pairedRowsOf,
  type TestedName,
  testedNames,
} from "./paired-rows.js";

/** Delivery times that are tried, as factors, and failures, as multiples of what chance brings about. */
const LATENCY_FACTORS = [1.05, 1.1, 1.2, 1.35, 1.5, 1.75, 2, 2.5, 3, 4, 6, 10] as const;
const FAILURE_MULTIPLES = [1, 1.1, 1.2, 1.35, 1.5, 1.75, 2, 2.5, 3, 4, 5, 6] as const;
/** Chance takes away less than the quantile at this place of all rounds in four of five comparisons, `inflation` being uncertain. */
const CHANCE_QUANTILE = 0.7;
/** Cells of a histogram to a doubling (`spans.ts`). */
const CELLS_PER_DOUBLING = 64;

/** By test: the absolute differences of all permutation rounds, ascending, and the factor that corrects for autocorrelation. */
export interface Permutations {
  readonly rounds: Readonly<Record<TestedName, Float64Array>>;
  readonly inflation: Readonly<Record<TestedName, number>>;
}

/**
 * The least differences that would have been found in four of five comparisons. The run after is changed by more and more,
 * until the difference less what chance takes away exceeds what rounds of the changed runs bring about: a difference widens the
 * rounds, too, most of all where there are few stretches.
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

/** Where the margin is 0, between one that is less and one that is not. */
function crossing(below: Margin, above: Margin): number {
  const part = above.margin === below.margin ? 1 : -below.margin / (above.margin - below.margin);
  return below.difference + (above.difference - below.difference) * part;
}

function quantile({ rounds, inflation }: Permutations, name: TestedName, part: number): number {
  const { length } = rounds[name];
  return inflation[name] * (rounds[name][Math.min(length - 1, Math.ceil(part * length))] ?? 0);
}

/** A stretch whose delivery times are longer by some cells, and of whose attempts another share failed. */
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
