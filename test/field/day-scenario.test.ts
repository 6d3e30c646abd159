import { describe, expect, test } from "vitest";
import { parseScenario } from "../../src/index.js";
import { readDay } from "../../src/field/causes/day-row.js";
import { inferDay } from "../../src/field/causes/infer-day.js";
import { reproducedRows } from "../../src/field/scenario/reproduced.js";
import { writeScenario } from "../../src/field/scenario/write-scenario.js";
import { runs } from "../support/effort.js";
import { eventsOf, playedDay } from "./random-day.js";

describe("the scenario of a day", () => {
  test("is sound, has the evidence of each cause, and plays the rows of the log again", async () => {
    for (let seed = 1; seed <= runs(1, 40); seed++) {
      const day = await playedDay(seed);
      const inferred = inferDay(day.events);
      const text = writeScenario(inferred, { source: "access.log" });
      expect(parseScenario(text, { file: "day.yaml", nowMs: 0 }).diagnostics).toEqual([]);
      for (const { evidence } of inferred.causes) expect(text).toContain(`  # ${evidence}\n`);
      const played = readDay(await eventsOf(text)).rows;
      const { rows, found, more, missing } = reproducedRows(inferred.day.rows, played);
      expect(found / rows, JSON.stringify({ seed, missing: missing.slice(0, 5) })).toBeGreaterThan(0.99);
      expect(more / rows).toBeLessThan(0.01);
    }
  });
});
