import { join } from "node:path";
import { expect, it } from "vitest";
import { openRecording } from "../../src/index.js";
import { PLAY_AHEAD_MS } from "../../src/lab/time/paced.js";
import { temporaryFolder } from "../support/folder.js";
import { play, receiverThat } from "./support.js";

/** Phones that report a text within milliseconds. */
const texting = `
name: Texting
seed: 3
starts: 2026-03-04T06:00:00.000Z
lasts: 40s
carriers: { network: { delay: 0s } }
handsets:
  clinic: { count: 20, phone: "+2507880{00000}", network: LTE, carrier: network }
people:
  farmers: { count: 50, of: clinic, phone: "+2507811{00000}" }
traffic:
  - { texts: { from: farmers, to: clinic, body: hello }, rate: 5/s }
`;

const SPEED = 20;

it("a paced run plays ahead, and sends no event before it is due", async () => {
  const arrived: { atMs: number; wallMs: number }[] = [];
  const receiver = await receiverThat((_body, response, request) => {
    arrived.push({ atMs: Number(request.headers["x-handset-time"]), wallMs: performance.now() });
    response.end("{}");
  });
  const recording = join(temporaryFolder(), "run.db");
  let beginsAt = Infinity;
  const { result, exitCode } = await play(`${texting}receiver: { marks: true }`, {
    receiver: receiver.url,
    recording,
    pace: `${SPEED}x`,
    beforeStart: async () => void (beginsAt = performance.now()),
  });
  expect(exitCode).toBe(0);
  expect(result.lost).toBe(0);
  expect(arrived.length).toBe(Object.values(result.events).reduce((sum, count) => sum + count, 0));
  expect(arrived.length).toBeGreaterThan(100);
  for (const { atMs, wallMs } of arrived) {
    expect(wallMs - beginsAt).toBeGreaterThanOrEqual(atMs / SPEED + PLAY_AHEAD_MS - 0.01);
  }
  expect(result.latenessMs?.max).toBeGreaterThanOrEqual(0);
  const reader = openRecording(recording);
  for (const { latenessMs, latencyMs, durationMs } of reader.attempts()) {
    expect(latenessMs).toBeGreaterThanOrEqual(0);
    // Latency counts from the due time, so it includes lateness and duration.
    expect(latencyMs - durationMs).toBeGreaterThanOrEqual((latenessMs ?? 0) - 0.01);
  }
  reader.close();
});

it("a receiver step takes effect when it is due, after all earlier events have left", async () => {
  const switched: number[] = [];
  const arrived: { atMs: number; wallMs: number }[] = [];
  const receiver = await receiverThat((_body, response, request) => {
    if (request.url === "/_handset-lab") return response.end(JSON.stringify({ receiver: "handset-lab" }));
    if (request.url === "/_handset-lab/answers") switched.push(performance.now());
    else arrived.push({ atMs: Number(request.headers["x-handset-time"]), wallMs: performance.now() });
    return response.end("{}");
  });
  let beginsAt = Infinity;
  const story = "receiver: { marks: true }\nstory: [{ at: 20s, receiver: { answers: 503 } }]";
  await play(`${texting}${story}`, {
    receiver: receiver.url,
    pace: `${SPEED}x`,
    beforeStart: async () => void (beginsAt = performance.now()),
  });
  expect(switched).toHaveLength(1);
  const [switchedAt = 0] = switched;
  expect(switchedAt - beginsAt).toBeGreaterThanOrEqual(20_000 / SPEED + PLAY_AHEAD_MS - 0.01);
  // Events that are due after the switch leave after it.
  for (const { atMs, wallMs } of arrived) if (atMs > 20_000) expect(wallMs).toBeGreaterThan(switchedAt);
});
