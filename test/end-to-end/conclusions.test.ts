import { join } from "node:path";
import { expect, test } from "vitest";
import {
  openRecording,
  renderJunit,
  renderHtml,
  renderSummary,
  resultOf,
  type RunResult,
  verdictOf,
} from "../../src/lab/index.js";
import { newFolder, play, receiverThat } from "./support.js";

/** The summary at 80 columns, on one line. */
function summaryOf(result: RunResult): string {
  return renderSummary(result, { colour: false, width: 80 }).replaceAll(/\s+/g, " ");
}

const load = `
name: Load
seed: 3
starts: 2026-03-04T06:00:00.000Z
lasts: 4s
handsets:
  clinic: { count: 10, phone: "+2507880{00000}", network: LTE }
people:
  farmers: { count: 100, of: clinic, phone: "+2507811{00000}" }
traffic:
  - texts: { from: farmers, to: clinic, body: "hello" }
    rate: 60/s
expect: ["failures == 0%"]
`;

test("a receiver that answers a third of what is due: the headline says so, though no expectation broke", async () => {
  let freeAt = 0;
  const { url } = await receiverThat((_body, response) => {
    freeAt = Math.max(performance.now(), freeAt) + 40;
    setTimeout(() => response.end("{}"), freeAt - performance.now());
  });
  const path = join(newFolder(), "run.db");
  const { result, exitCode } = await play(load, { receiver: url, recording: path, pace: "1x", connections: 5 });
  expect(exitCode).toBe(0);
  expect(result.expectations.every(({ held }) => held)).toBe(true);
  const [first] = result.findings ?? [];
  expect(first).toMatchObject({ kind: "saturation" });
  const verdict = verdictOf(result);
  expect(verdict.state).not.toBe("held");
  expect(verdict.headline).toMatch(
    /^The receiver answered .*\/s of the .*\/s due from 0:\d\d (on|to 0:\d\d); \d+ events waited at (the|its) end, .* to drain; all 5 connections were busy/,
  );
  expect(summaryOf(result)).toContain(`! ${verdict.headline}`);
  const recording = openRecording(path);
  try {
    expect(resultOf(recording).findings).toEqual(result.findings);
    expect(renderHtml(recording)).toContain(first?.text);
    expect(renderJunit(resultOf(recording), recording.meta())).toContain(first?.text);
  } finally {
    recording.close();
  }
}, 120_000);

const farm = `
name: Copies
seed: 9
starts: 2026-03-04T09:00:00.000Z
lasts: 1h
handsets:
  farm: { phone: "+250788000800", battery: 80%, network: EDGE }
people:
  workers: { count: 5, of: farm, phone: "+2507820{00000}" }
story:
  - at: 10m
    sync: { of: farm, loses: response, times: 2 }
  - at: 10m
    text: { from: workers/2, to: farm, body: "12 bags" }
  - at: 20m
    text: { from: workers/3, to: farm, body: "hi" }
  - at: 21m
    text: { from: workers/3, to: farm, body: "hi" }
expect: ["doubles == 0", "unanswered == 0", "lost == 0"]
`;

function phoneIn(body: string): string {
  return new URLSearchParams(body).get("phone") ?? "";
}

test("a person who is told again for a copy of an event is a double, however late the copy comes", async () => {
  const { url } = await receiverThat((body, response) => {
    response.setHeader("content-type", "application/json");
    const reply = { phone: phoneIn(body), text: `noted ${Math.random()}` };
    response.end(body.includes("mo_sms") ? JSON.stringify(reply) : "{}");
  });
  const path = join(newFolder(), "run.db");
  const { result, exitCode } = await play(farm, { receiver: url, recording: path });
  expect(result.events["mo_sms"]).toBe(5);
  // Two copies of one text; the same words twice, a minute apart, are two events.
  expect(result.doubles).toBe(2);
  expect(exitCode).toBe(1);
  expect(result.expectations.map(({ held, seen }) => [held, seen])).toEqual([
    [false, "2"],
    [true, "0"],
    [true, "0"],
  ]);
  expect(result.expectations[2]?.metric?.name).toBe("ledger.gap");
  expect(summaryOf(result)).toContain(
    "2 messages tell a person for a second time of the same event, or of a copy of it",
  );
  const recording = openRecording(path);
  try {
    expect(renderHtml(recording)).toContain("2 messages tell a person for a second time");
  } finally {
    recording.close();
  }
});

test("a receiver that answers each event once, in the same words, makes no doubles", async () => {
  const seen = new Set<string>();
  const { url } = await receiverThat((body, response) => {
    const fields = new URLSearchParams(body);
    const key = `${fields.get("phone")} ${fields.get("text")} ${fields.get("time")}`;
    response.setHeader("content-type", "application/json");
    response.end(seen.has(key) ? "{}" : JSON.stringify({ phone: phoneIn(body), text: "thank you" }));
    seen.add(key);
  });
  const { result } = await play(farm, { receiver: url, recording: "none" });
  expect(result.doubles).toBe(0);
  expect(result.findings?.map(({ kind }) => kind)).not.toContain("doubles");
});
