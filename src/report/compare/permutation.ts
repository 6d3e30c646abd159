import { spanOf } from "../figures/spans.js";
import type { Block } from "./blocks.js";

/** What is tested: percentiles of the delivery time, the share of failures, and the shares of all answers. */
export const testedNames = ["p50", "p95", "p99", "failures", "answers"] as const;
export type TestedName = (typeof testedNames)[number];

/** The outcome of one test. Percentiles: natural logarithm of after / before; shares: their difference. */
export interface Tested {
  readonly difference: number;
  /** Chance of a difference at least as large between two runs of one receiver. */
  readonly chance: number;
  /** The least difference that would have been found in four of five comparisons. */
  readonly detectable: number;
}

/** Chance of any false alarm among all tests of a comparison. */
const FALSE_ALARM = 0.01;
/** Below this chance a difference counts as found (Bonferroni). */
export const LEVEL: number = FALSE_ALARM / testedNames.length;
const ROUNDS = 999;
/** Cells of a histogram that are tested as one: a time is then right within 6 %, and a round takes microseconds. */
const COARSE = 4;
/** With fewer pairs of blocks no arrangement of them is rare enough. */
const LEAST_PAIRS = 12;

const percents: Partial<Record<TestedName, number>> = { p50: 0.5, p95: 0.95, p99: 0.99 };

/**
 * Whether two runs differ, by a permutation test of paired blocks: if the receiver is the same, a stretch of one run might
 * as well have been the same stretch of the other, so swapping them changes nothing. It assumes no distribution, and
 * neighbouring attempts may depend on each other, as in a stall. Deterministic.
 *
 * @returns undefined where the runs are too short to be cut into 12 stretches each
 */
export function testDifference(
  before: readonly Block[],
  after: readonly Block[],
): Readonly<Record<TestedName, Tested>> | undefined {
  const pairs = Math.min(before.length, after.length);
  if (pairs < LEAST_PAIRS) return undefined;
  const sides = compact(before.slice(0, pairs), after.slice(0, pairs));
  const seen = measure(sides, () => false);
  const random = generator(0x9e3779b9);
  const found = testedNames.map(() => new Float64Array(ROUNDS));
  for (let round = 0; round < ROUNDS; round++) {
    const values = measure(sides, () => random() < 0.5);
    values.forEach((value, at) => {
      const list = found[at];
      if (list !== undefined) list[round] = Math.abs(value);
    });
  }
  return Object.fromEntries(
    testedNames.map((name, at) => {
      const difference = seen[at] ?? 0;
      const sorted = (found[at] ?? new Float64Array(ROUNDS)).toSorted();
      const atLeast = sorted.filter((value) => value >= Math.abs(difference) - 1e-12).length;
      const quantile = (share: number): number => sorted[Math.min(ROUNDS - 1, Math.ceil(share * ROUNDS))] ?? 0;
      // A true difference is found where it exceeds what chance may take away from it.
      return [
        name,
        { difference, chance: (1 + atLeast) / (1 + ROUNDS), detectable: quantile(1 - LEVEL) + quantile(0.6) },
      ];
    }),
  ) as Record<TestedName, Tested>;
}

interface Sides {
  /** Block by block: cells that hold anything, then attempts, failures and answers, of one run and of the other. */
  readonly before: readonly Float64Array[];
  readonly after: readonly Float64Array[];
  /** Delivery time of each cell, ascending. */
  readonly spansMs: readonly number[];
}

/** Leaves out cells that no block uses. */
function compact(before: readonly Block[], after: readonly Block[]): Sides {
  const all = [...before, ...after];
  const used: number[] = [];
  const cells = all[0]?.cells.length ?? 0;
  const countOf = ({ cells: counts }: Block, from: number): number => {
    let count = 0;
    for (let cell = from; cell < from + COARSE; cell++) count += counts[cell] ?? 0;
    return count;
  };
  for (let cell = 0; cell < cells; cell += COARSE) if (all.some((block) => countOf(block, cell) > 0)) used.push(cell);
  const kinds = [...new Set(all.flatMap(({ answers }) => Object.keys(answers)))].toSorted();
  const row = (block: Block): Float64Array =>
    Float64Array.from([
      ...used.map((cell) => countOf(block, cell)),
      block.attempts,
      block.failures,
      ...kinds.map((kind) => block.answers[kind] ?? 0),
    ]);
  return { before: before.map(row), after: after.map(row), spansMs: used.map((cell) => spanOf(cell + COARSE / 2)) };
}

/** The differences where some pairs of blocks have changed sides. */
function measure({ before, after, spansMs }: Sides, isSwapped: () => boolean): number[] {
  const width = before[0]?.length ?? 0;
  const [one, other] = [new Float64Array(width), new Float64Array(width)];
  before.forEach((left, pair) => {
    const right = after[pair] ?? left;
    const swapped = isSwapped();
    const [x, y] = swapped ? [right, left] : [left, right];
    for (let at = 0; at < width; at++) {
      one[at] = (one[at] ?? 0) + (x[at] ?? 0);
      other[at] = (other[at] ?? 0) + (y[at] ?? 0);
    }
  });
  const size = spansMs.length;
  const share = (side: Float64Array, at: number): number => (side[at] ?? 0) / Math.max(1, side[size] ?? 0);
  let distance = 0;
  for (let at = size + 2; at < width; at++) distance += Math.abs(share(other, at) - share(one, at)) / 2;
  return testedNames.map((name) => {
    const percent = percents[name];
    if (percent !== undefined) return Math.log(quantileOf(other, spansMs, percent) / quantileOf(one, spansMs, percent));
    return name === "failures" ? share(other, size + 1) - share(one, size + 1) : distance;
  });
}

function quantileOf(side: Float64Array, spansMs: readonly number[], percent: number): number {
  let count = 0;
  for (let cell = 0; cell < spansMs.length; cell++) count += side[cell] ?? 0;
  let left = Math.ceil(percent * count);
  for (let cell = 0; cell < spansMs.length; cell++) {
    left -= side[cell] ?? 0;
    if (left <= 0) return Math.max(spansMs[cell] ?? 0, 0.001);
  }
  return 0.001;
}

/** Mulberry32: the same numbers in every comparison. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
