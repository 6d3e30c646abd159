import { expect, it } from "vitest";
import type { Block } from "../../src/report/compare/blocks.js";
import { detectableDifferences, mulberry32, LEVEL, testDifference } from "../../src/report/compare/permutation.js";
import { cellOfMs, CELL_COUNT } from "../../src/report/figures/duration-histograms.js";

interface Drawn {
  /** Autocorrelation of neighbouring periods: slow phases, and phases with more failures. */
  readonly rho: number;
  /** All delivery times are longer by this factor. */
  readonly factor?: number;
  /** Additional share of failed attempts. */
  readonly failing?: number;
}

/** A run of one receiver: 20 blocks of 60 attempts, with pauses that make neighbouring attempts slow together. */
function drawn(seed: number, { rho, factor = 1, failing = 0 }: Drawn): Block[] {
  const random = mulberry32(7919 * seed + 13);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  let [slow, bad] = [normal(), normal()];
  return Array.from({ length: 20 }, () => {
    slow = rho * slow + Math.sqrt(1 - rho * rho) * normal();
    bad = rho * bad + Math.sqrt(1 - rho * rho) * normal();
    const cells = new Uint32Array(CELL_COUNT);
    let [failures, pauseMs] = [0, 0];
    for (let attempt = 0; attempt < 60; attempt++) {
      if (pauseMs <= 0 && random() < 0.02) pauseMs = 40 * random();
      const cell = cellOfMs(factor * ((8 - 3 * Math.log(1 - random())) * Math.exp(0.2 * slow) + Math.max(0, pauseMs)));
      cells[cell] = (cells[cell] ?? 0) + 1;
      pauseMs -= 8;
      if (random() < 0.02 * Math.exp(0.7 * bad) + failing) failures++;
    }
    return { cells, attempts: 60, failures, answers: { accepted: 60 - failures, "503": failures } };
  });
}

/** The 99.9 % quantile of a binomial distribution: hits among `tries` with this chance. */
function mostOf(tries: number, chance: number): number {
  let [term, sum, count] = [(1 - chance) ** tries, 0, 0];
  for (; count <= tries; count++) {
    sum += term;
    if (sum >= 0.999) return count;
    term *= ((tries - count) / (count + 1)) * (chance / (1 - chance));
  }
  return tries;
}

it("300 pairs of runs of one receiver with slow phases: at most one in a hundred differs", () => {
  const pairs = 300;
  let alarms = 0;
  for (let seed = 0; seed < pairs; seed++) {
    const tests = testDifference(drawn(2 * seed + 1, { rho: 0.5 }), drawn(2 * seed + 2, { rho: 0.5 }));
    if (Object.values(tests ?? {}).some(({ chance }) => chance <= LEVEL)) alarms++;
  }
  expect(alarms).toBeLessThanOrEqual(mostOf(pairs, 0.01));
});

it("about four of five comparisons find a difference of the detectable size", () => {
  const pairs = 24;
  const found = { p50: 0, p95: 0, p99: 0, failures: 0 };
  for (let seed = 0; seed < pairs; seed++) {
    const before = drawn(2 * seed + 1, { rho: 0 });
    const least = detectableDifferences(before, drawn(2 * seed + 2, { rho: 0 }));
    for (const name of ["p50", "p95", "p99", "failures"] as const) {
      const size = Math.min(least[name], Math.log(10));
      const change = name === "failures" ? { failing: Math.min(1, size) } : { factor: Math.exp(size) };
      const tests = testDifference(before, drawn(2 * seed + 2, { rho: 0, ...change }));
      if (tests !== undefined && tests[name].chance <= LEVEL) found[name]++;
    }
  }
  const least = pairs - mostOf(pairs, 0.2);
  for (const [name, count] of Object.entries(found)) expect(count, name).toBeGreaterThanOrEqual(least);
});
