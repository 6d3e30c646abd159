import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Capacity,
  type PlayTrial,
  searchCapacity as search,
  type SearchOptions,
  type LevelVerdict,
} from "../../src/study/capacity.js";
import { Streams } from "../../src/sim/index.js";
import { runs } from "../support/effort.js";

/** A search over a simulated port without lengths and throughput. */
function searchCapacity(trial: (value: number) => Promise<LevelVerdict>, options: SearchOptions): Promise<Capacity> {
  return search(async (value) => {
    const verdict = await trial(value);
    return { verdict, ...(verdict === "void" && { isBeyondGenerator: true }) };
  }, options);
}

const rounded = (value: number): number => Number(value.toPrecision(3));

const options: SearchOptions = {
  from: 10,
  isFromEasiest: false,
  trials: 3,
  precision: 0.05,
  round: rounded,
};

/** A receiver that holds loads below its knee more often than loads above; `slope` 0: always and never. */
function receiver(
  knee: number,
  { slope = 0, seed = 1 } = {},
): {
  trial: (value: number) => Promise<LevelVerdict>;
  played: number[];
} {
  const stream = new Streams(seed).get("receiver");
  const played: number[] = [];
  return {
    played,
    trial: async (value) => {
      played.push(value);
      const passes = slope === 0 ? value <= knee : stream.chance(1 / (1 + (value / knee) ** (1 / slope)));
      return passes ? "passed" : "failed";
    },
  };
}

describe("the search for a capacity", () => {
  it.each([
    { slope: 0.01, seeds: 30 },
    { slope: 0.05, seeds: 60 },
    { slope: 0.15, seeds: 60 },
  ])("has the true knee in its interval, however gradual it is: $slope", async ({ slope, seeds }) => {
    let hits = 0;
    for (let seed = 1; seed <= seeds; seed++) {
      const truth = 10 * 2 ** (4 * new Streams(seed).get("truth").next());
      const { trial, played } = receiver(truth, { slope, seed });
      const { kind, knee } = await searchCapacity(trial, options);
      expect(played.length).toBeLessThanOrEqual(120);
      if (kind === "knee" && knee !== undefined && knee.low <= truth && truth <= knee.high) hits++;
    }
    expect(hits / seeds).toBeGreaterThanOrEqual(0.85);
  });

  it("finds any knee of a steady receiver with the requested precision in few trials", async () => {
    await fc.assert(
      fc.asyncProperty(fc.double({ min: 0.02, max: 1e6, noNaN: true }), async (truth) => {
        const { trial, played } = receiver(truth);
        const capacity = await searchCapacity(trial, options);
        expect(capacity).toMatchObject({ kind: "knee", isMonotone: true });
        const { knee, holds = NaN, breaks = NaN } = capacity;
        expect(holds).toBeLessThanOrEqual(truth);
        expect(breaks).toBeGreaterThan(truth);
        expect((knee?.high ?? NaN) / (knee?.low ?? NaN)).toBeLessThanOrEqual(1.05 ** 2 + 0.001);
        expect(played.length).toBeLessThanOrEqual(60);
      }),
      { numRuns: runs(12) },
    );
  });

  it("ends for any outcomes", async () => {
    const verdicts = fc.infiniteStream(fc.constantFrom<LevelVerdict>("passed", "failed", "void"));
    await fc.assert(
      fc.asyncProperty(verdicts, fc.boolean(), async (outcomes, isFromEasiest) => {
        let count = 0;
        const trial = async (): Promise<LevelVerdict> => (count++, outcomes.next().value);
        const { levels } = await searchCapacity(trial, { ...options, isFromEasiest });
        expect(count).toBeLessThanOrEqual(120);
        expect(
          levels.reduce((sum, { passed, failed, voided }) => sum + passed + failed + voided, 0),
        ).toBeLessThanOrEqual(count);
      }),
      { numRuns: runs(12) },
    );
  });

  it("takes larger steps after sparse trials, and even larger ones after scarce trials", async () => {
    const { trial, played } = receiver(1e6);
    await search(async (value) => ({ verdict: await trial(value), isSparse: value < 3000, isScarce: value < 300 }), {
      ...options,
      to: 1e6,
    });
    expect(played.slice(0, 4)).toEqual([10, 1000, 10_000, 40_000]);
  });

  it("separates whole numbers and nothing finer", async () => {
    const { trial } = receiver(3);
    const capacity = await searchCapacity(trial, { ...options, from: 1, round: Math.round });
    expect(capacity).toMatchObject({ kind: "knee", holds: 3, breaks: 4 });
  });

  it("tries easier values if the first one fails, unless it is the easiest of interest", async () => {
    expect(await searchCapacity(receiver(1.3).trial, options)).toMatchObject({ kind: "knee" });
    expect(await searchCapacity(receiver(1.3).trial, { ...options, isFromEasiest: true })).toMatchObject({
      kind: "below",
      breaks: 10,
    });
  });

  it("goes down if smaller values are harder", async () => {
    const trial = async (value: number): Promise<LevelVerdict> => (value >= 7 ? "passed" : "failed");
    const capacity = await searchCapacity(trial, { ...options, from: 100, to: 1, isFromEasiest: true });
    expect(capacity.kind).toBe("knee");
    expect(capacity.holds).toBeGreaterThanOrEqual(7);
    expect(capacity.breaks).toBeLessThan(7);
    expect(capacity.knee?.low).toBeLessThan(capacity.knee?.high ?? NaN);
  });

  it("says `at least` the bound if nothing failed", async () => {
    const { trial, played } = receiver(1000);
    const capacity = await searchCapacity(trial, { ...options, to: 50 });
    expect(capacity).toMatchObject({ kind: "at-least", holds: 50, limitedBy: "bound" });
    expect(Math.max(...played)).toBe(50);
  });

  it("ends if a harder value yields no more load, without counting the harder one as held", async () => {
    const played: number[] = [];
    const trial: PlayTrial = async (value) => {
      played.push(value);
      return { verdict: "passed", isFlat: value > 400 };
    };
    const capacity = await search(trial, { ...options, from: 25, trials: 1 });
    expect(capacity).toMatchObject({ kind: "at-least", holds: 400, limitedBy: "load" });
    expect(played).toEqual([25, 100, 400, 1600, 400]);
  });

  it("narrows the range down to where the generator is late, even if a harder value has failed", async () => {
    const ramp: number[] = [];
    const trial: PlayTrial = async (value, length) => {
      if (length === "probe") ramp.push(value);
      if (value <= 150) return { verdict: "passed" };
      if (value > 300) return { verdict: "failed", handled: 40 / value };
      return { verdict: "void", isBeyondGenerator: true, handled: 0.9 };
    };
    const capacity = await search(trial, { ...options, from: 25, trials: 1 });
    // A void short trial is repeated once.
    expect(ramp).toEqual([25, 100, 400, 200, 200, 141]);
    expect(capacity).toMatchObject({ holds: 150, limitedBy: "generator" });
  });

  it("finds the last value before a receiver collapses, and what it handles then", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.double({ min: 20, max: 2000, noNaN: true }),
        fc.double({ min: 0.2, max: 0.8, noNaN: true }),
        async (truth, share) => {
          const trial: PlayTrial = async (value) =>
            value <= truth ? { verdict: "passed" } : { verdict: "failed", handled: (share * truth) / value };
          const { holds = NaN, breaks = NaN, collapsesTo, limitedBy } = await search(trial, { ...options, trials: 1 });
          expect(holds).toBeLessThanOrEqual(truth);
          expect(breaks).toBeGreaterThan(truth);
          expect(breaks / holds).toBeLessThan(1.1);
          expect(collapsesTo).toBeCloseTo(share * truth);
          expect(limitedBy).toBeUndefined();
        },
      ),
    );
  });

  it("does not say that a receiver collapses which handles under overload what it holds", async () => {
    const trial: PlayTrial = async (value) =>
      value <= 300 ? { verdict: "passed" } : { verdict: "failed", handled: 295 / value };
    expect((await search(trial, options)).collapsesTo).toBeUndefined();
  });

  it("ends where our connections are the limit, and says so", async () => {
    const played: number[] = [];
    const trial: PlayTrial = async (value) => {
      played.push(value);
      return value <= 960 ? { verdict: "passed" } : { verdict: "failed", handled: 960 / value, isByConnections: true };
    };
    const capacity = await search(trial, { ...options, trials: 1 });
    expect(capacity).toMatchObject({ kind: "knee", limitedBy: "connections" });
    expect(capacity.collapsesTo).toBeUndefined();
    expect((capacity.knee?.value ?? NaN) / 960).toBeCloseTo(1, 1);
    expect(played.length).toBeLessThan(10);
  });

  it("says that a receiver is not steady if its verdict varies far below what it holds, and not if by chance", async () => {
    const contradictions = async (passes: (value: number, chance: (share: number) => boolean) => boolean) => {
      let count = 0;
      for (let seed = 1; seed <= 20; seed++) {
        const stream = new Streams(seed).get("receiver");
        const trial = async (value: number): Promise<LevelVerdict> =>
          passes(value, (share) => stream.chance(share)) ? "passed" : "failed";
        const { contradiction } = await searchCapacity(trial, { ...options, trials: 1 });
        if (contradiction !== undefined) count++;
      }
      return count;
    };
    expect(await contradictions((value, chance) => chance(value < 300 ? 0.7 : 0))).toBeGreaterThan(10);
    expect(await contradictions((value, chance) => chance(1 / (1 + (value / 300) ** 50)))).toBe(0);
  });

  it("takes failures in doubt for weak evidence: they neither hide the limit nor make the receiver unsteady", async () => {
    const stream = new Streams(1).get("busy");
    const trial: PlayTrial = async (value) => {
      if (value > 300) return { verdict: "failed", handled: 300 / value };
      return stream.chance(0.4) ? { verdict: "void", doubt: 0.5 } : { verdict: "passed" };
    };
    const { knee, contradiction, isMonotone, generatorLimit } = await search(trial, { ...options, trials: 1 });
    expect((knee?.value ?? NaN) / 300).toBeCloseTo(1, 1);
    expect(contradiction).toBeUndefined();
    expect(isMonotone).toBe(true);
    expect(generatorLimit).toBeUndefined();
  });

  it("claims nothing if other programs disturbed every trial", async () => {
    const trial: PlayTrial = async () => ({ verdict: "void", doubt: 0.5, handled: 0.4, isRough: true });
    const capacity = await search(trial, { ...options, trials: 1, isFromEasiest: true });
    expect(capacity).toMatchObject({ kind: "unknown" });
    expect(capacity.breaks).toBeUndefined();
  });

  it("does not count trials in which the generator fell behind", async () => {
    const trial = async (value: number): Promise<LevelVerdict> => (value > 300 ? "void" : "passed");
    const capacity = await searchCapacity(trial, options);
    expect(capacity).toMatchObject({ kind: "at-least", limitedBy: "generator" });
    expect(capacity.knee).toBeUndefined();
    expect(capacity.holds).toBeGreaterThan(270);
    expect(capacity.generatorLimit).toBeGreaterThan(300);
    const nothing = await searchCapacity(async () => "void", options);
    expect(nothing).toMatchObject({ kind: "unknown" });
  });

  it("finds a knee below the generator's limit although harder trials were void", async () => {
    const trial = async (value: number): Promise<LevelVerdict> =>
      value > 150 ? "void" : value > 120 ? "failed" : "passed";
    const capacity = await searchCapacity(trial, options);
    expect(capacity.kind).toBe("knee");
    expect(capacity.holds).toBeLessThanOrEqual(120);
    expect(capacity.holds).toBeGreaterThan(105);
  });

  it("is not misled by short trials that failed by accident", async () => {
    // The first trials hit a cold receiver: it holds more than what failed at first.
    let trials = 0;
    const trial = async (value: number): Promise<LevelVerdict> => (++trials <= 2 || value > 60 ? "failed" : "passed");
    const { kind, knee } = await searchCapacity(trial, { ...options, from: 40 });
    expect(kind).toBe("knee");
    expect((knee?.value ?? NaN) / 60).toBeCloseTo(1, 1);
  });

  it("does not count a stopped trial, in the ramp and after it", async () => {
    for (let stopAt = 1; stopAt <= 12; stopAt++) {
      const { trial, played } = receiver(100);
      const { limitedBy, holds, breaks, levels } = await search(async (value) => {
        const isStopped = played.length + 1 === stopAt;
        const verdict = await trial(value);
        return isStopped ? { verdict: "void", isStopped } : { verdict };
      }, options);
      expect(played).toHaveLength(stopAt);
      expect(limitedBy).toBe("stopped");
      const told = played.slice(0, -1);
      for (const value of [holds, breaks]) if (value !== undefined) expect(told).toContain(value);
      expect(levels.reduce((sum, { voided }) => sum + voided, 0)).toBe(0);
    }
  });

  it("ends with the current result when the time is over", async () => {
    const { trial, played } = receiver(1000);
    const capacity = await searchCapacity(trial, {
      ...options,
      endsBy: () => (played.length >= 5 ? "time" : undefined),
    });
    expect(capacity).toMatchObject({ kind: "at-least", limitedBy: "time" });
    expect(played).toHaveLength(5);
  });
});
