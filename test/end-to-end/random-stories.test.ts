import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseScenario, type Scenario } from "../../src/index.js";
import type { RunTotals } from "../../src/lab/run-totals.js";
import { gaps } from "../../src/ledger/index.js";
import { eventLines } from "../../src/report/index.js";
import { linesOf } from "../report/event-line.js";
import { randomScenario, verbsLeftOut } from "./random-story.js";
import { parse } from "./support.js";
import { Answers } from "../support/answers.js";
import { runs } from "../support/effort.js";
import { playAndRead } from "../support/played-in-memory.js";

/** Plays a scenario in memory. Its events are listed as they are recorded. */
function playRecorded(scenario: Scenario): Promise<RunTotals & { readonly recorded: number }> {
  const receiver = new Answers({ isMoody: true });
  return playAndRead(scenario, { receiver }, ({ totals, reader }) => {
    const lines = Buffer.concat([...eventLines(reader)]).toString();
    // No diff of megabytes.
    expect(lines === linesOf(reader)).toBe(true);
    return { ...totals, recorded: [...reader.events()].length };
  });
}

/** Plays a scenario: its ledger must close without negative counts, and all its events must be recorded. */
async function expectBooksToClose(scenario: Scenario): Promise<void> {
  const { ledger, recorded, events } = await playRecorded(scenario);
  expect({ gaps: gaps(ledger), ledger }).toEqual({ gaps: 0, ledger });
  for (const account of Object.values(ledger)) {
    for (const count of [account.in, account.delivered, account.failed, account.queued]) {
      expect(count).toBeGreaterThanOrEqual(0);
    }
  }
  // A copy of a request is the same event.
  const { copies: _requests, ...copiesBy } = ledger.events.copies;
  const copies = Object.values(copiesBy).reduce((sum, count) => sum + count, 0);
  expect(recorded).toBe(ledger.events.in + copies);
  expect(recorded).toBe([...events.values()].reduce((sum, count) => sum + count, 0));
}

/** A request takes longer than the phone's timeout, and the phone is reset meanwhile. */
const resetOnASlowLink = `
seed: 1
lasts: 1h
handsets: { a: { phone: "+250788000001" } }
people: { p: { phone: "+250781100001" } }
story:
  - at: 0s
    network: { of: a, latency: 200s }
  - at: 1m
    text: { from: p, to: a, body: hello }
  - at: 4m
    reset: { of: a, down: 0s }
`;

describe("random stories", () => {
  it("use every verb that does something", () => {
    expect(verbsLeftOut()).toEqual([]);
  });

  it("close: a reset while a request is under way for longer than the phone waits", async () => {
    const { ledger } = await playRecorded(parse(resetOnASlowLink));
    expect(ledger.texts).toMatchObject({ in: 1, delivered: 0, queued: 0, lost: { reset: 1 }, gap: 0 });
  });

  it("close, whatever the phones live through", async () => {
    await fc.assert(
      fc.asyncProperty(randomScenario, async (written) => {
        const { scenario, diagnostics } = parseScenario(JSON.stringify(written), { file: "random.yaml", nowMs: 0 });
        if (scenario === undefined) throw new Error(JSON.stringify(diagnostics, null, 2));
        await expectBooksToClose(scenario);
      }),
      { numRuns: runs(25, 2000) },
    );
  });
});
