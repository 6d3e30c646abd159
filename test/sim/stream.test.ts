import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Distribution,
  findFakeFaults,
  fixed,
  lowerBound,
  prepareFakes,
  sample,
  sampleWhole,
  Streams,
} from "../../src/sim/index.js";

const draws = (seed: number, name: string, count = 5): number[] => {
  const stream = new Streams(seed).get(name);
  return Array.from({ length: count }, () => stream.next());
};

describe("Streams", () => {
  it("draws the same numbers for the same seed and name, and other numbers for any other", () => {
    expect(draws(7, "handset/clinic/3")).toEqual(draws(7, "handset/clinic/3"));
    expect(draws(7, "handset/clinic/3")).not.toEqual(draws(8, "handset/clinic/3"));
    expect(draws(7, "handset/clinic/3")).not.toEqual(draws(7, "handset/clinic/4"));
  });

  it("makes distinct UUIDs in the form of version 4", () => {
    const streams = new Streams(1);
    const uuids = Array.from({ length: 500 }, (_, index) => streams.uuid(`contact/${index}`));
    for (const uuid of uuids)
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set(uuids).size).toBe(500);
  });
});

/** Mean and deviation of 40,000 draws. */
function momentsOf(distribution: Distribution<number>): { mean: number; deviation: number } {
  const stream = new Streams(11).get("moments");
  const values = Array.from({ length: 40_000 }, () => sample(distribution, stream));
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, deviation: Math.sqrt(variance) };
}

describe("distributions", () => {
  it.each<[string, Distribution<number>, number, number]>([
    ["uniform", { kind: "uniform", min: 100, max: 300, whole: true }, 200, 57.9],
    ["exp", { kind: "exp", mean: 300 }, 300, 300],
    ["normal", { kind: "normal", mean: 300, deviation: 60 }, 300, 60],
    ["lognormal", { kind: "lognormal", mean: 300, deviation: 120 }, 300, 120],
  ])("%s has its mean and deviation", (_, distribution, mean, deviation) => {
    const seen = momentsOf(distribution);
    expect(seen.mean / mean).toBeCloseTo(1, 1);
    expect(seen.deviation / deviation).toBeCloseTo(1, 1);
  });

  it("draws both ends of a range and nothing beyond", () => {
    const stream = new Streams(3).get("range");
    const seen = new Set(
      Array.from({ length: 1000 }, () => sample<number>({ kind: "uniform", min: 2, max: 5, whole: true }, stream)),
    );
    expect([...seen].toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5]);
  });

  it("draws choices in proportion to their weights", () => {
    const stream = new Streams(3).get("weights");
    const of = [
      { weight: 3, value: fixed("a") },
      { weight: 1, value: fixed("b") },
      { weight: 0, value: fixed("never") },
    ];
    const seen = Array.from({ length: 8000 }, () => sample<string>({ kind: "weighted", of }, stream));
    expect(seen.filter((value) => value === "a").length / 8000).toBeCloseTo(0.75, 1);
    expect(seen).not.toContain("never");
  });

  it("draws whole numbers that are never negative and never below the lower bound", () => {
    const number = fc.integer({ min: 1, max: 100_000 });
    const distribution: fc.Arbitrary<Distribution<number>> = fc.oneof(
      number.map((value) => fixed(value)),
      fc
        .tuple(number, number)
        .map(([a, b]) => ({ kind: "uniform" as const, min: Math.min(a, b), max: Math.max(a, b), whole: true })),
      number.map((mean) => ({ kind: "exp" as const, mean })),
      fc.tuple(number, number).map(([mean, deviation]) => ({ kind: "normal" as const, mean, deviation })),
    );
    fc.assert(
      fc.property(distribution, fc.integer(), (one, seed) => {
        const stream = new Streams(seed).get("whole");
        for (let count = 0; count < 20; count++) {
          const value = sampleWhole(one, stream);
          expect(Number.isSafeInteger(value)).toBe(true);
          expect(value).toBeGreaterThanOrEqual(lowerBound(one));
        }
      }),
    );
  });

  it("draws fake texts from the given stream in the given locale", async () => {
    const fakes = await prepareFakes([
      { path: "person.firstName", locale: "fr" },
      { path: "person.firstName", locale: "ar" },
    ]);
    const name = (locale: string, seed: number): string =>
      sample({ kind: "fake", path: "person.firstName", locale }, new Streams(seed).get("names"), fakes);
    expect(name("fr", 1)).toBe(name("fr", 1));
    expect(name("ar", 1)).toMatch(/\p{Script=Arabic}/u);
    expect(new Set(Array.from({ length: 30 }, (_, seed) => name("fr", seed))).size).toBeGreaterThan(10);
  });

  const why = async (path: string, locale = "en"): Promise<string | undefined> =>
    (await findFakeFaults([{ path, locale }]))[0]?.why;

  it.each([
    ["lorem.sentense", "en", "faker has no method 'lorem.sentense'"],
    ["lorem", "en", "faker has no method 'lorem'"],
    ["lorem.constructor", "en", "faker has no method 'lorem.constructor'"],
    ["__proto__.toString", "en", "faker has no method '__proto__.toString'"],
    ["lorem.sentence", "xx", "faker has no locale 'xx'"],
    ["lorem.sentence", "constructor", "faker has no locale 'constructor'"],
    ["helpers.multiple", "en", "gives no text but a list"],
    ["helpers.arrayElement", "en", /^cannot be drawn without arguments/],
    ["helpers.fake", "en", /^cannot be drawn without arguments/],
    ["helpers.maybe", "en", /^(cannot be drawn without arguments|gives no text but nothing)/],
    ["helpers.slugify", "en", "gives an empty text"],
    ["location.nearbyGPSCoordinate", "en", "gives no text but a list"],
    ["airline.airport", "en", "gives no text but an object"],
  ])("rejects a fake that cannot be drawn: %s in %s", async (path, locale, expected) => {
    expect(await why(path, locale)).toMatch(expected);
    await expect(prepareFakes([{ path, locale }])).rejects.toThrow(RangeError);
  });

  it("draws numbers, flags and dates as texts, independent of the time zone", async () => {
    const wanted = ["number.int", "datatype.boolean", "date.past"].map((path) => ({ path, locale: "en" }));
    expect(await findFakeFaults(wanted)).toEqual([]);
    const fakes = await prepareFakes(wanted);
    const draw = (path: string): string => fakes.draw(path, "en", new Streams(1).get("dates"));
    expect(draw("date.past")).toMatch(/^19(69|70)-.*Z$/);
    expect(draw("datatype.boolean")).toMatch(/^(true|false)$/);
    expect(draw("number.int")).toMatch(/^\d+$/);
  });

  it("lists the known words, and finds all faults", async () => {
    const faults = await findFakeFaults([
      { path: "lorem.sentense", locale: "en" },
      { path: "lorem.sentence", locale: "fr" },
      { path: "lorem.sentence", locale: "frr" },
    ]);
    expect(faults.map((fault) => fault.on)).toEqual(["path", "locale"]);
    expect(faults[0]?.known).toContain("lorem.sentence");
    expect(faults[1]?.known).toContain("fr");
  });
});
