import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { RunStart } from "../../src/index.js";
import { ConsoleClient } from "../console/console-client.js";
import { temporaryFolder } from "../support/folder.js";
import { play } from "./support.js";

const hour = `
name: An hour
lasts: 1h
handsets: { clinic: { count: 2, phone: "+2507880{00000}" } }
people: { farmers: { count: 10, phone: "+2507811{00000}" } }
traffic:
  - { name: chatter, texts: { from: farmers, to: clinic, body: hi }, rate: 60/h, arrivals: even }
expect: [ "failures == 0" ]
`;

it.each(["lockstep", "max", 3600] as const)(
  "the console shows a run at pace %s, and still when it is over",
  async (pace) => {
    const report = join(temporaryFolder(), "run.html");
    writeFileSync(report, "<p>the report</p>");
    let start: RunStart | undefined;
    let isShown = false;
    const { exitCode } = await play(hour, {
      pace,
      api: { port: 0 },
      onStart: (started) => (start = started),
      console: {
        async whenOver(outcome, showReport) {
          const { url = "", token, labToken = "" } = start?.api ?? {};
          const client = await ConsoleClient.open(url, { token: labToken });
          const snapshot = await client.snapshot();
          expect(snapshot.lab).toMatchObject({ mode: "run", lastsMs: 3_600_000, hasClock: typeof pace === "number" });
          expect(snapshot.lab.settleMs).toBe(pace === "lockstep" ? 100 : undefined);
          expect(snapshot.totals).toMatchObject({ events: 60, accepted: 60, failures: 0, inFlight: 0 });
          expect(snapshot.run).toMatchObject({
            isOver: true,
            findingsClock: pace === "lockstep" ? "virtual" : "real",
            beginsWallMs: pace === "lockstep" ? null : (expect.closeTo(Date.now(), -5) as number),
            report: null,
          });
          expect(snapshot.run?.verdict?.state).not.toBe("failed");
          expect(snapshot.story).toMatchObject({
            state: "over",
            expectations: [{ text: "failures == 0", state: "held" }],
          });
          showReport(report);
          const { run } = await client.delta((delta) => delta.run !== undefined);
          expect(await (await fetch(`${url}${run?.report}`)).text()).toBe("<p>the report</p>");
          const headers = { authorization: `Token ${token}`, "content-type": "application/json" };
          const events = await fetch(`${url}/lab/events`, { headers: { authorization: `Token ${labToken}` } });
          expect(((await events.json()) as { results: unknown[] }).results).toHaveLength(50);
          const body = JSON.stringify({ name: "Late" });
          expect((await fetch(`${url}/api/v2/labels.json`, { method: "POST", headers, body })).status).toBe(409);
          isShown = outcome.result.attempts.accepted === 60;
        },
      },
    });
    expect([exitCode, isShown]).toEqual([0, true]);
    await expect(fetch(start?.api?.url ?? "")).rejects.toThrow();
  },
);

it("the expectations of a run that was stopped stand as its verdict counts them", async () => {
  const stop = new AbortController();
  let start: RunStart | undefined;
  let shown: unknown;
  await play(hour.replace('"failures == 0"', "failures == 0, events.mo_sms == 60"), {
    pace: 1,
    api: { port: 0 },
    signal: stop.signal,
    onStart: (started) => {
      start = started;
      stop.abort();
    },
    console: {
      async whenOver() {
        const { url = "", labToken = "" } = start?.api ?? {};
        const { story, run } = await (await ConsoleClient.open(url, { token: labToken })).snapshot();
        shown = [story?.state, story?.expectations.map(({ state }) => state), run?.verdict?.headline];
      },
    },
  });
  expect(shown).toEqual(["over", ["failed", "failed"], expect.stringContaining("2 of 2 expectations broken")]);
});
