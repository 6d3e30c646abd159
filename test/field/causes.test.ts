import { describe, expect, test } from "vitest";
import { inferDay } from "../../src/field/causes/infer-day.js";
import { runs } from "../support/effort.js";
import { judge } from "./judge-causes.js";
import { playedDay } from "./random-day.js";

describe("the causes of a random day", () => {
  test("come back from its log within their true limits, at least 95 % of them, and none is invented", async () => {
    const missed: string[] = [];
    const invented: string[] = [];
    let planted = 0;
    for (let seed = 1; seed <= runs(12, 200); seed++) {
      const day = await playedDay(seed);
      const judgement = judge(day.planted, inferDay(day.events).causes);
      planted += day.planted.length;
      missed.push(...judgement.missed.map((one) => `${seed}: ${JSON.stringify(one)}`));
      invented.push(
        ...judgement.invented.map(({ verb, relayer, evidence }) => `${seed}: ${relayer} ${verb} ${evidence}`),
      );
    }
    // On many days a rare coincidence looks like a cause: docs/field-bugs.md has the share.
    expect(invented.length, invented.join("\n")).toBeLessThanOrEqual(planted > 1000 ? planted * 0.01 : 0);
    expect(planted).toBeGreaterThan(50);
    expect(missed.length, missed.join("\n")).toBeLessThanOrEqual(planted * 0.05);
  });

  test("without any trouble are none, and every row is explained", async () => {
    for (let seed = 1001; seed <= 1000 + runs(6, 100); seed++) {
      const { causes, unexplained } = inferDay((await playedDay(seed, [])).events);
      expect({ seed, causes, unexplained }).toEqual({ seed, causes: [], unexplained: [] });
    }
  });
});
