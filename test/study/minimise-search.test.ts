import fc from "fast-check";
import { expect, test } from "vitest";
import { type Kept, searchSmallest, type SearchOptions, type SearchSpace } from "../../src/study/minimise/search.js";
import { runs } from "../support/effort.js";

/** Counts trials, and refuses to try an input twice. */
function counting(fails: (kept: ReadonlySet<number>) => boolean): SearchOptions & { readonly tried: string[] } {
  const tried: string[] = [];
  return {
    tried,
    trials: 100_000,
    test: (kept) => {
      const key = kept.join(" ");
      expect(tried).not.toContain(key);
      tried.push(key);
      return Promise.resolve(fails(new Set(kept)) ? "fails" : "passes");
    },
  };
}

const all = (count: number): Kept => Array.from({ length: count }, (_, index) => index);

/** A space with groups of neighbours and its last element fixed. */
function spaceOf(count: number, groupSize: number): SearchSpace {
  const groups = all(Math.ceil(count / groupSize)).map((group) =>
    all(count).slice(group * groupSize, (group + 1) * groupSize),
  );
  return { start: all(count), fixed: [count - 1], candidates: [[], [count - 2]], families: [groups] };
}

test("any subset of needed elements is found exactly, and proven", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 120 }),
      fc.integer({ min: 1, max: 9 }),
      fc.array(fc.nat(), { maxLength: 6 }),
      fc.integer({ min: 1, max: 3 }),
      async (count, groupSize, picks, width) => {
        const needed = new Set([...picks.map((pick) => pick % count), count - 1]);
        const options = counting((kept) => [...needed].every((element) => kept.has(element)));
        const { kept, isOneMinimal, trials } = await searchSmallest(spaceOf(count, groupSize), { ...options, width });
        expect(kept).toEqual([...needed].sort((a, b) => a - b));
        expect(isOneMinimal).toBe(true);
        expect(trials).toBe(options.tried.length);
      },
    ),
    { numRuns: runs(150) },
  );
});

test("of failures that are not monotone, the result fails, and no single removal does; the same each time", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 40 }),
      fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { minLength: 1, maxLength: 4 }),
      async (count, rules) => {
        // Fails if for each rule the first element is there, and the second only together with the third.
        const fails = (kept: ReadonlySet<number>): boolean =>
          kept.has(count - 1) &&
          rules.every(
            ([a, b, c]) =>
              (kept.has(a % count) || !kept.has(c % count)) && (!kept.has(b % count) || kept.has(c % count)),
          );
        if (!fails(new Set(all(count)))) return;
        const first = await searchSmallest(spaceOf(count, 4), counting(fails));
        const again = await searchSmallest(spaceOf(count, 4), counting(fails));
        expect(again).toEqual(first);
        expect(fails(new Set(first.kept))).toBe(true);
        for (const element of first.kept.slice(0, -1)) {
          expect(fails(new Set(first.kept.filter((one) => one !== element)))).toBe(false);
        }
      },
    ),
    { numRuns: runs(300) },
  );
});

test("five elements without any structure among 10,000 take about eighty trials", async () => {
  const needed = [1300, 3007, 5210, 7111, 9999];
  // The person of an event is (7919 * index) mod 2000, and 7919 * 1679 mod 2000 is 1.
  const people = all(2000).map((person) => [0, 1, 2, 3, 4].map((round) => ((person * 1679) % 2000) + 2000 * round));
  let requests = 0;
  const { kept, trials } = await searchSmallest(
    { ...spaceOf(10_000, 1), families: [people] },
    {
      test: (tried) => {
        requests += tried.length;
        const set = new Set(tried);
        return Promise.resolve(needed.every((element) => set.has(element)) ? "fails" : "passes");
      },
    },
  );
  expect(kept).toEqual(needed);
  expect(trials).toBeLessThanOrEqual(95);
  expect(requests).toBeLessThan(150_000);
});

test("an element stays with the one that it needs", async () => {
  const space = {
    ...spaceOf(60, 5),
    needs: (element: number) => (element === 59 ? 17 : element === 40 ? 3 : undefined),
  };
  const { kept } = await searchSmallest(
    space,
    counting((set) => set.has(59) && set.has(40)),
  );
  expect(kept).toEqual([3, 17, 40, 59]);
});

test("trials and time are bounds: what was found so far is the result, unproven", async () => {
  const fails = (kept: ReadonlySet<number>): boolean => [5, 30, 77, 99].every((element) => kept.has(element));
  const { kept, isOneMinimal, trials } = await searchSmallest(spaceOf(100, 5), { ...counting(fails), trials: 9 });
  expect(isOneMinimal).toBe(false);
  expect(trials).toBeLessThanOrEqual(9);
  expect(fails(new Set(kept))).toBe(true);
});
