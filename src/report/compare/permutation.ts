import type { Block } from "./blocks.js";
import { inflationFactors } from "./autocorrelation.js";
import { detectableIn, type Permutations } from "./power.js";
import { byName, type PairedRows, pairedRowsOf, statisticsOf, type TestedName, testedNames } from "./paired-rows.js";

/** The outcome of one test. Percentiles: natural logarithm of after / before; shares: their difference. */
export interface TestOutcome {
  readonly difference: number;
  /** p-value: chance of a difference at least as large between two runs of one receiver. */
  readonly chance: number;
}

/** Chance of a false alarm in any test of a comparison. */
const FALSE_ALARM = 0.01;
/** A difference counts as found up to this p-value (Bonferroni correction). */
export const LEVEL: number = FALSE_ALARM / testedNames.length;
const ROUNDS = 999;
/** With fewer pairs of blocks no permutation is rare enough. */
const LEAST_PAIRS = 12;

/**
 * Tests whether two runs differ, by a permutation test of paired blocks: if the receiver is the same, a block of one
 * run can change places with the same block of the other. The test assumes no distribution, and attempts within a
 * block may depend on each other, as in a stall. If neighbouring blocks depend on each other, as in a slow phase, the
 * differences of the rounds are widened (`inflationFactors`). Deterministic.
 *
 * @returns undefined when the runs have attempts in fewer than 12 blocks
 */
export function testDifference(
  before: readonly Block[],
  after: readonly Block[],
): Readonly<Record<TestedName, TestOutcome>> | undefined {
  const pairs = Math.min(before.length, after.length);
  if (pairs < LEAST_PAIRS) return undefined;
  const sides = pairedRowsOf({ before: before.slice(0, pairs), after: after.slice(0, pairs) });
  const seen = statisticsOf(sides, () => false);
  const { rounds, inflation } = permute(sides);
  return byName((name) => {
    const difference = seen[name];
    const least = Math.abs(difference) / inflation[name] - 1e-12;
    const atLeast = rounds[name].filter((value) => value >= least).length;
    return { difference, chance: (1 + atLeast) / (1 + ROUNDS) };
  });
}

/** The smallest differences that four of five comparisons would find; infinite: not even 10x. */
export function detectableDifferences(
  before: readonly Block[],
  after: readonly Block[],
): Readonly<Record<TestedName, number>> {
  const pairs = Math.min(before.length, after.length);
  return detectableIn(
    { before: before.slice(0, pairs), after: after.slice(0, pairs) },
    { level: LEVEL, permuted: permute },
  );
}

/** The differences of 999 rounds, in each of which random pairs of blocks change sides. */
function permute(sides: PairedRows): Permutations {
  const random = mulberry32(0x9e3779b9);
  const isSwapped = (): boolean => random() < 0.5;
  const rounds = byName(() => new Float64Array(ROUNDS));
  for (let round = 0; round < ROUNDS; round++) {
    const values = statisticsOf(sides, isSwapped);
    for (const name of testedNames) rounds[name][round] = Math.abs(values[name]);
  }
  for (const name of testedNames) rounds[name].sort();
  return { rounds, inflation: inflationFactors(sides) };
}

/** The Mulberry32 random generator; a fixed seed makes comparisons repeatable. */
export function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
