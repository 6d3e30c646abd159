import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chanceOf } from "../../src/report/common/exact-test.js";
import { sharedTraits, type TraitRow } from "../../src/report/common/shared-traits.js";
import { runs } from "../support/effort.js";

const texts = new Map(Array.from({ length: 30 }, (_, trait) => [`t${trait}`, `have trait ${trait}`]));

function row(traits: readonly string[], affected: number, others: number): TraitRow {
  return { traits: new Set(traits), affected, others };
}

describe("the exact test", () => {
  it("gives the probabilities of Fisher's tea: 1 of 70 for all four cups", () => {
    expect(chanceOf({ with: 4, of: 4, othersWith: 0, others: 4 })).toBeCloseTo(1 / 70, 12);
    expect(chanceOf({ with: 3, of: 4, othersWith: 1, others: 4 })).toBeCloseTo(17 / 70, 12);
    expect(chanceOf({ with: 0, of: 4, othersWith: 4, others: 4 })).toBeCloseTo(1, 12);
  });

  it("is exact for large numbers, too", () => {
    // 2 of 2 affected among 1,000,000 events of which 1,000 have the trait: (1000 · 999) / (10^6 · (10^6 - 1)).
    const chance = chanceOf({ with: 2, of: 2, othersWith: 998, others: 999_998 });
    expect(chance / ((1000 * 999) / (1e6 * (1e6 - 1)))).toBeCloseTo(1, 6);
  });
});

describe("shared traits", () => {
  it("name a trait that all affected events have and few others, and not one that only follows from it", () => {
    const rows = [row(["t1", "t2"], 24, 10), row(["t2"], 0, 400), row(["t3"], 0, 3600)];
    expect(sharedTraits(rows, texts)).toEqual([
      { text: "have trait 1", with: 24, of: 24, othersWith: 10, others: 4010, within: [] },
    ]);
  });

  it("name what must come together: the second trait within the first", () => {
    const rows = [row(["t1", "t2"], 20, 0), row(["t1"], 0, 80), row(["t2"], 0, 300), row([], 0, 1000)];
    const [shared, ...more] = sharedTraits(rows, texts);
    expect(more).toEqual([]);
    expect([
      shared?.text,
      shared?.within.map(({ text, with: held, othersWith, others }) => [text, held, othersWith, others]),
    ]).toEqual(["have trait 1", [["have trait 2", 20, 0, 80]]]);
  });

  it("name two causes apart", () => {
    const rows = [row(["t1"], 30, 5), row(["t2"], 20, 5), row([], 2, 2000)];
    expect(sharedTraits(rows, texts).map(({ text, with: held }) => [text, held])).toEqual([
      ["have trait 1", 30],
      ["have trait 2", 20],
    ]);
  });

  it("name nothing where chance decides who is affected", () => {
    // Each event has each of 30 traits by a probability of its own: a trait is named in one of a hundred such days at most.
    let named = 0;
    const days = runs(60, 600);
    fc.assert(
      fc.property(
        fc.noShrink(fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }))),
        (stream) => {
          const next = (): number => stream.next().value as number;
          const shares = Array.from({ length: 30 }, () => next() ** 2);
          const rows = Array.from({ length: 300 }, () => {
            const traits = shares.flatMap((share, trait) => (next() < share ? [`t${trait}`] : []));
            const isAffected = next() < 0.05;
            return row(traits, isAffected ? 1 : 0, isAffected ? 0 : 1);
          });
          if (sharedTraits(rows, texts).length > 0) named++;
        },
      ),
      { numRuns: days, seed: 7 },
    );
    expect(named / days).toBeLessThanOrEqual(0.01);
  });
});
