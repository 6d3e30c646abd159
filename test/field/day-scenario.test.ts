import { describe, expect, test } from "vitest";
import { parseScenario } from "../../src/index.js";
import { type DayRow, readDay } from "../../src/field/causes/day-row.js";
import { inferDay } from "../../src/field/causes/infer-day.js";
import { writeScenario } from "../../src/field/scenario/write-scenario.js";
import { runs } from "../support/effort.js";
import { eventsOf, playedDay } from "./random-day.js";

describe("the scenario of a day", () => {
  test("is sound, has the evidence of each cause, and plays the rows of the log again", async () => {
    for (let seed = 1; seed <= runs(2, 40); seed++) {
      const day = await playedDay(seed);
      const inferred = inferDay(day.events);
      const text = writeScenario(inferred, { source: "access.log" });
      expect(parseScenario(text, { file: "day.yaml", nowMs: 0 }).diagnostics).toEqual([]);
      for (const { evidence } of inferred.causes) expect(text).toContain(`  # ${evidence}\n`);
      const played = readDay(await eventsOf(text)).rows;
      const share = foundShare(inferred.day.rows, played);
      expect(share, `seed ${seed}: ${played.length} of ${inferred.day.rows.length} rows`).toBeGreaterThan(0.99);
      expect(Math.abs(played.length / inferred.day.rows.length - 1)).toBeLessThan(0.01);
    }
  });
});

/** The share of rows that were played: the same words of the same person at the same phone time, within a minute. */
function foundShare(rows: readonly DayRow[], played: readonly DayRow[]): number {
  const key = ({ type, phone, text, duration, relayerPhone }: DayRow): string =>
    JSON.stringify([type, phone, text, duration, relayerPhone]);
  const left = groupedBy(played, key);
  const time = ({ phoneMs, atMs }: DayRow): number => phoneMs ?? atMs;
  const found = rows.filter((row) => {
    const same = left.get(key(row)) ?? [];
    const index = same.findIndex((one) => Math.abs(time(one) - time(row)) < 60_000);
    if (index !== -1) same.splice(index, 1);
    return index !== -1;
  });
  return found.length / rows.length;
}

function groupedBy(rows: readonly DayRow[], key: (row: DayRow) => string): Map<string, DayRow[]> {
  const groups = new Map<string, DayRow[]>();
  for (const row of rows) groups.set(key(row), [...(groups.get(key(row)) ?? []), row]);
  return groups;
}
