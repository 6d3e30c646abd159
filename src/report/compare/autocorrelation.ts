import { autocorrelationOf } from "../../measure/index.js";
import { percentileShares, quantileOf, type PairedRows, type TestedName } from "./paired-rows.js";

/** A mean beyond this many standard deviations is signal, not noise: the excess is added unscaled. */
const NOISE_DEVIATIONS = 3.1;

/** Upper bound of the estimate: in 40 blocks a larger autocorrelation looks like a trend. */
const RHO_MAX = 0.95;

/**
 * Variance inflation by autocorrelation. If neighbouring blocks depend on each other, two runs of one receiver differ
 * more than the permutation rounds show, by `sqrt((1 + rho) / (1 - rho))` (variance of the mean of a first-order
 * autoregressive series). `rho` is the autocorrelation at lag 1 of the differences of the pairs, so what both runs
 * share, such as the shape of the load, cancels out. The part of the rounds that comes from a true difference is not
 * inflated.
 *
 * @returns >= 1 for each test
 */
export function inflationFactors(sides: PairedRows): Record<TestedName, number> {
  const size = sides.spansMs.length;
  const above = (part: number): number => {
    const limitMs = quantileOf(sides.total, sides.spansMs, part);
    return inflation(pairDifferences(sides, (row) => countAbove(row, sides.spansMs, limitMs)));
  };
  const kinds = sides.total.length - size - 2;
  const byKind = Array.from({ length: kinds }, (_, kind) => pairDifferences(sides, (row) => row[size + 2 + kind] ?? 0));
  return {
    p50: above(percentileShares.p50),
    p95: above(percentileShares.p95),
    p99: above(percentileShares.p99),
    failures: inflation(pairDifferences(sides, (row) => row[size + 1] ?? 0)),
    answers: inflation(...byKind),
  };
}

/**
 * For each pair of blocks: the share of attempts that `count` counts in the run after, minus the share in the run
 * before.
 */
function pairDifferences({ before, after, spansMs }: PairedRows, count: (row: Float64Array) => number): number[] {
  const share = (row: Float64Array | undefined): number =>
    row === undefined ? 0 : count(row) / Math.max(1, row[spansMs.length] ?? 0);
  return before.map((row, pair) => share(after[pair]) - share(row));
}

function countAbove(row: Float64Array, spansMs: readonly number[], limitMs: number): number {
  let count = 0;
  for (let cell = 0; cell < spansMs.length; cell++) if ((spansMs[cell] ?? 0) > limitMs) count += row[cell] ?? 0;
  return count;
}

function inflation(...series: readonly (readonly number[])[]): number {
  const { r, seen, variance } = autocorrelationOf(...series);
  if (variance === 0) return 1;
  const length = series[0]?.length ?? 0;
  const squares = series.flat().reduce((sum, value) => sum + value ** 2, 0);
  // One standard error covers the estimate's uncertainty.
  const likely = r + Math.sqrt((1 - seen ** 2) / length);
  const rho = Math.min(RHO_MAX, Math.max(0, likely));
  const wider = (1 + rho) / (1 - rho);
  const ofNoise = variance + Math.min(squares - variance, (NOISE_DEVIATIONS ** 2 * wider * variance) / length);
  return Math.max(1, Math.sqrt((wider * ofNoise) / squares));
}
