import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { HttpResult, HttpSender, HttpRequest } from "../../src/http/index.js";
import { parseScenario, type Scenario } from "../../src/index.js";
import { prepareScenarioFakes } from "../../src/lab/fakes.js";
import { Lab } from "../../src/lab/lab.js";
import type { RunTotals } from "../../src/lab/run-totals.js";
import type { ReceiverSwitch } from "../../src/lab/receiver-switch.js";
import { gaps } from "../../src/ledger/index.js";
import { eventLines } from "../../src/report/index.js";
import { Recording } from "../../src/store/index.js";
import { linesOf } from "../report/event-line.js";
import { randomScenario, verbsLeftOut } from "./random-story.js";
import { parse } from "./support.js";
import { runs } from "../support/effort.js";

/**
 * A receiver without sockets. Its answer depends only on the event and on the story's `receiver` steps, so a run can be
 * repeated. Some answers hold a reply.
 */
class Answers implements HttpSender, ReceiverSwitch {
  readonly connections = 50;
  readonly originMs = performance.now();
  readonly waitingForConnection = 0;
  readonly notDue = 0;
  #mode = "ok";
  #status = 200;

  post({ body }: HttpRequest, done: (exchange: HttpResult) => void): void {
    const draw = createHash("sha256").update(body).digest()[0] ?? 0;
    queueMicrotask(() => done(this.#exchange(draw)));
  }

  answer({ answers, status = 200 }: Parameters<ReceiverSwitch["answer"]>[0]): Promise<void> {
    this.#mode = answers;
    this.#status = status;
    return Promise.resolve();
  }

  withdrawUnsent(): void {}

  close(): void {}

  #exchange(draw: number): HttpResult {
    if (this.#mode === "hang") return answerOf({ error: "ETIMEDOUT" });
    if (this.#mode === "close") return answerOf({ error: "ECONNRESET" });
    if (this.#mode === "status") return answerOf({ status: this.#status });
    if (draw < 10) return answerOf({ status: 503 });
    const asksFor = draw < 30 ? '{"text":"thanks"}' : '{"phone":["+250781100002"],"text":"come"}';
    return answerOf({ status: 200, body: this.#mode === "reply" || draw < 60 ? asksFor : "" });
  }
}

function answerOf(answer: { readonly status?: number; readonly error?: string; readonly body?: string }): HttpResult {
  const { status = null, error = null, body = "" } = answer;
  return {
    sentWallMs: 1,
    postedWallMs: 1,
    durationMs: 1,
    status,
    error,
    headers: null,
    body: new TextEncoder().encode(body),
    bodyBytes: body.length,
    redirects: [],
  };
}

/** Plays a scenario in lockstep without sockets, threads and files. */
async function playInMemory(scenario: Scenario): Promise<RunTotals & { readonly recorded: number }> {
  const recording = Recording.create(
    ":memory:",
    {
      name: scenario.name,
      seed: scenario.seed,
      version: "0",
      scenario: scenario.source,
      startsAtMs: scenario.cast.startsAtMs,
      lastsMs: scenario.cast.lastsMs,
      preset: scenario.service,
      startedWallMs: 0,
      options: {},
    },
    { overwrite: false },
  );
  try {
    const answers = new Answers();
    const lab = new Lab({
      scenario,
      recording,
      url: "http://receiver/events",
      sender: answers,
      receiver: answers,
      pace: { kind: "lockstep", lookaheadMs: scenario.lookaheadMs },
      fakes: await prepareScenarioFakes(scenario),
      giveUpAfterMs: Infinity,
    });
    const tallies = await lab.play();
    const recorded = [...recording.reader().events()].length;
    const lines = Buffer.concat([...eventLines(recording.reader())]).toString();
    // No diff of megabytes.
    expect(lines === linesOf(recording.reader())).toBe(true);
    return { ...tallies, recorded };
  } finally {
    recording.close();
  }
}

/** Plays a scenario: its ledger must close without negative counts, and all its events must be recorded. */
async function expectBooksToClose(scenario: Scenario): Promise<void> {
  const { ledger, recorded, events, digest } = await playInMemory(scenario);
  expect({ gaps: gaps(ledger), ledger }).toEqual({ gaps: 0, ledger });
  for (const account of Object.values(ledger)) {
    for (const count of [account.in, account.delivered, account.failed, account.queued]) {
      expect(count).toBeGreaterThanOrEqual(0);
    }
  }
  expect(recorded).toBe(ledger.events.in);
  expect(recorded).toBe([...events.values()].reduce((sum, count) => sum + count, 0));
  if (scenario.seed % 4 === 0) expect((await playInMemory(scenario)).digest).toBe(digest);
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
    const { ledger } = await playInMemory(parse(resetOnASlowLink));
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
