import { describe, expect, test } from "vitest";
import { causesTogether } from "../../src/field/causes/cause-report.js";
import { readDay } from "../../src/field/causes/day-row.js";
import { inferDay } from "../../src/field/causes/infer-day.js";
import { reproducedRows } from "../../src/field/scenario/reproduced.js";
import { writeFittingScenario, writeScenario } from "../../src/field/scenario/write-scenario.js";
import { parseScenario } from "../../src/index.js";
import { runs } from "../support/effort.js";
import { judge } from "./judge-causes.js";
import { eventsOf } from "./random-day.js";
import { asFieldEvents, playedUnlikeDay, type UnlikeKind, unlikeKinds } from "./unlike-day.js";

/** The app of 2024 tells many rows twice and late all day: its outages are not told apart from that. */
const judged = unlikeKinds.filter((kind) => kind !== "2024");

describe("days that differ from those by which the causes were tuned", () => {
  test("have their causes within their limits, and none is invented", async () => {
    const few: readonly UnlikeKind[] = ["forty", "delivery", "overlaps"];
    for (const kind of runs(0, 1) === 0 ? few : judged) {
      for (let seed = 1; seed <= runs(1, 10); seed++) {
        const { planted, tries } = await playedUnlikeDay(kind, seed);
        const { missed, invented } = judge(planted, inferDay(asFieldEvents(tries)).causes);
        expect({ kind, seed, invented: invented.map(({ evidence }) => evidence) }).toEqual({
          kind,
          seed,
          invented: [],
        });
        expect(missed.length, JSON.stringify({ kind, seed, missed })).toBeLessThanOrEqual(planted.length * 0.1);
      }
    }
  });

  test("have none without trouble, also where people write in bursts", async () => {
    const few: readonly UnlikeKind[] = ["bursts", "slow-carrier"];
    for (const kind of runs(0, 1) === 0 ? few : judged) {
      const { tries } = await playedUnlikeDay(kind, 7, true);
      expect({ kind, causes: inferDay(asFieldEvents(tries)).causes }).toEqual({ kind, causes: [] });
    }
  });

  test("are played again, and a village without its network is one line of the summary", async () => {
    const { tries } = await playedUnlikeDay("forty", 1);
    const inferred = inferDay(asFieldEvents(tries));
    expect(causesTogether(inferred.causes).map(({ others }) => others)).toContain(11);
    const played = readDay(await eventsOf(writeScenario(inferred, { source: "access.log" }))).rows;
    const { rows, found } = reproducedRows(inferred.day.rows, played);
    expect(found / rows).toBeGreaterThan(0.97);
  });

  test("that do not fit a scenario are cut where it ends, and it plays", async () => {
    const { tries } = await playedUnlikeDay("forty", 1);
    const inferred = inferDay(asFieldEvents(tries));
    const largest = { steps: 100, bytes: 60_000, people: 10 };
    const { text, untilMs = 0 } = writeFittingScenario(inferred, { source: "access.log", largest });
    expect(text.length).toBeLessThan(largest.bytes);
    expect(untilMs).toBeGreaterThan(inferred.day.fromMs);
    expect(untilMs).toBeLessThan(inferred.day.toMs);
    const { scenario, diagnostics } = parseScenario(text, { file: "day.yaml", nowMs: 0 });
    expect(diagnostics).toEqual([]);
    expect(scenario?.story.length).toBeLessThanOrEqual(largest.steps);
  });
});

test("a table without times of the phones has no causes that need them", async () => {
  const { tries } = await playedUnlikeDay("forty", 1);
  const rows = asFieldEvents(tries).map((event) => {
    const form = new URLSearchParams(event.body);
    const time = new Date(event.atMs).toISOString().slice(0, 23);
    const body = { event: "mo_sms", phone: form.get("phone") ?? "", text: form.get("text") ?? "", time };
    return { place: event.place, atMs: event.atMs, body: new URLSearchParams(body).toString() };
  });
  const { causes, day } = inferDay(rows);
  expect(day.lacksPhoneTimes).toBe(true);
  expect(causes).toEqual([]);
});
