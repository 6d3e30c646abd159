import { percentileShares, quantileOf, type PairedRows, type TestedName } from "./paired-rows.js";

/** Beyond this many standard deviations a mean is a signal, not noise: the excess is added to the rounds and not scaled. */
const NOISE_DEVIATIONS = 3.1;

/** More than this cannot be told from a trend in some dozens of stretches. */
const RHO_MAX = 0.95;

/**
 * How much wider chance makes the differences of two runs than the rounds that swap stretches one by one, where neighbouring
 * stretches depend on each other: `sqrt((1 + rho) / (1 - rho))` (variance of the mean of a first-order autoregressive series), with
 * `rho` the autocorrelation at lag 1 of what a pair of stretches contributes to the difference. What both runs have in common, such as
 * the course of the load, does not count, and what a true difference adds to the rounds is not widened.
 *
 * @returns >= 1 for each test
 */
export function inflationFactors(sides: PairedRows): Record<TestedName, number> {
  const size = sides.spansMs.length;
  const above = (part: number): number => {
    const limitMs = quantileOf(sides.total, sides.spansMs, part);
    return inflation([pairDifferences(sides, (row) => countAbove(row, sides.spansMs, limitMs))]);
  };
  const kinds = sides.total.length - size - 2;
  const byKind = Array.from({ length: kinds }, (_, kind) => pairDifferences(sides, (row) => row[size + 2 + kind] ?? 0));
  return {
    p50: above(percentileShares.p50),
    p95: above(percentileShares.p95),
    p99: above(percentileShares.p99),
    failures: inflation([pairDifferences(sides, (row) => row[size + 1] ?? 0)]),
    answers: inflation(byKind),
  };
}

/** By pair of stretches: the share after less the share before of what `count` counts. */
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

function inflation(series: readonly (readonly number[])[]): number {
  let [variance, lagged, squares] = [0, 0, 0];
  const length = series[0]?.length ?? 0;
  for (const values of series) {
    const mean = values.reduce((sum, value) => sum + value, 0) / length;
    values.forEach((value, at) => {
      squares += value ** 2;
      variance += (value - mean) ** 2;
      if (at > 0) lagged += (value - mean) * ((values[at - 1] ?? 0) - mean);
    });
  }
  if (variance === 0) return 1;
  const seen = lagged / variance;
  // The estimate is too low by (1 + 3 rho) / n (Marriott and Pope 1954); one standard error is for its own chance.
  const likely = seen + (1 + 3 * seen) / length + Math.sqrt((1 - seen ** 2) / length);
  const rho = Math.min(RHO_MAX, Math.max(0, likely));
  const wider = (1 + rho) / (1 - rho);
  const ofNoise = variance + Math.min(squares - variance, (NOISE_DEVIATIONS ** 2 * wider * variance) / length);
  return Math.max(1, Math.sqrt((wider * ofNoise) / squares));
}
