import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { emptyScenarioText, parseScenario, readyScenarioFile, type Scenario } from "../../src/index.js";
import { temporaryFolder } from "../support/folder.js";
import { accountFile, type ServedLab, serving } from "./served.js";

const READ_AT_MS = Date.parse("2026-03-04T06:00:00.000Z");

/** A scenario with `starts: now`, read at `READ_AT_MS`. */
function startingNow(text: string): Scenario {
  const { scenario } = parseScenario(text, { file: "now.yaml", nowMs: READ_AT_MS, set: ["starts=now"] });
  if (scenario === undefined) throw new Error("the scenario has errors");
  return scenario;
}

const readyText = readFileSync(readyScenarioFile, "utf8");

/** A wall clock that advances 1 s with each reading, to simulate a slow start. */
class SlowStart {
  #nowMs: number;

  constructor(fromMs: number) {
    this.#nowMs = fromMs;
  }

  /** The last reading. */
  get shownMs(): number {
    return this.#nowMs;
  }

  readonly advance = (): number => (this.#nowMs += 1000);
}

async function labNowMs(lab: ServedLab): Promise<number> {
  return Date.parse((await lab.lab.done("GET", "/clock")).now as string);
}

describe("the clock of a lab that starts now", () => {
  it("shows the wall clock's time of its start, not that at which the scenario was read", async () => {
    for (const beginning of [
      { scenario: startingNow(emptyScenarioText) },
      { scenario: startingNow(readyText), accounts: [accountFile()], playsFirstHour: true },
    ]) {
      const wall = new SlowStart(READ_AT_MS);
      const lab = await serving({ ...beginning, wallClock: wall.advance });
      expect(wall.shownMs).toBeGreaterThan(READ_AT_MS);
      // The lab's clock runs 1 ms ahead of the wall clock, so it is never behind.
      expect((await labNowMs(lab)) - wall.shownMs).toBe(1);
    }
  });

  it("does so when a database is served again", async () => {
    const database = join(temporaryFolder(), "account.db");
    const first = await serving({ scenario: startingNow(emptyScenarioText), database, wallClock: () => READ_AT_MS });
    await first.api.done("POST", "contacts.json", { name: "Ada", urns: ["tel:+12065550142"] });
    await first.served.close();
    const wall = new SlowStart(READ_AT_MS + 3_600_000);
    const again = await serving({ database, wallClock: wall.advance });
    expect((await labNowMs(again)) - wall.shownMs).toBe(1);
  });

  it("is ahead of a client's own time of its last sync, so `after=` finds every later change", async () => {
    const wall = new SlowStart(READ_AT_MS);
    const lab = await serving({ scenario: startingNow(emptyScenarioText), wallClock: wall.advance, isPaused: false });
    const lastSync = new Date(wall.shownMs).toISOString();
    await lab.api.done("POST", "contacts.json", { name: "Ada", urns: ["tel:+12065550142"] });
    expect((await lab.api.done("GET", `contacts.json?after=${lastSync}`)).results).toMatchObject([{ name: "Ada" }]);
  });

  it("loses no time while a snapshot is restored", async () => {
    const lab = await serving({ scenario: startingNow(emptyScenarioText), isPaused: false });
    const drift = await driftOver(lab, () => lab.lab.done("POST", "/snapshots", { restore: "start" }));
    expect(drift).toBeLessThanOrEqual(2);
  });

  it("stays where the scenario says when it does not start now", async () => {
    const { scenario } = parseScenario(readyText, {
      file: "fixed.yaml",
      nowMs: 0,
      set: ["starts=2026-03-04T06:00:00.000Z"],
    });
    const lab = await serving({ ...(scenario !== undefined && { scenario }), wallClock: () => READ_AT_MS + 5000 });
    expect(await labNowMs(lab)).toBe(READ_AT_MS);
  });
});

/** A lower bound, in milliseconds, of how far the lab's time fell behind wall time during an action. */
async function driftOver(lab: ServedLab, act: () => Promise<unknown>): Promise<number> {
  const earliest = await offset(lab);
  await act();
  const latest = await offset(lab);
  return Math.max(0, earliest.leastMs - latest.mostMs);
}

/** Bounds of the lab's time minus the monotonic clock: the lab reads its time at some moment during the request. */
async function offset(lab: ServedLab): Promise<{ readonly leastMs: number; readonly mostMs: number }> {
  const before = performance.now();
  const nowMs = await labNowMs(lab);
  return { leastMs: nowMs - performance.now(), mostMs: nowMs - before };
}
