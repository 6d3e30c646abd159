import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRecording, replayRecording, type RunOptions } from "../../src/index.js";
import { temporaryFolder } from "../support/folder.js";
import { listen } from "../support/server.js";
import { play } from "./support.js";

/** Texts of five people, a quarter of an hour; nothing else. */
const day = (keys: string): string => `
name: Trouble at every pace
starts: 2026-03-04T06:00:00.000Z
lasts: 15m
drain: 30m
handsets: { clinic: { count: 2, phone: "+25078800000{0}" } }
people: { farmers: { count: 5, of: clinic, phone: "+25078811110{0}" } }
traffic:
  - { texts: { from: farmers, to: clinic, body: hello }, rate: 2/m, until: 10m }
${keys}
`;

/** A receiver that counts the requests of each event, and how many were under way at once. */
async function countingReceiver() {
  const counts = new Map<string, number>();
  const order: string[] = [];
  let underWay = 0;
  const peaks = new Map<string, number>();
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const event = new URLSearchParams(body).get("sms") ?? "";
      counts.set(event, (counts.get(event) ?? 0) + 1);
      order.push(event);
      underWay++;
      peaks.set(event, Math.max(peaks.get(event) ?? 0, underWay));
      setTimeout(() => {
        underWay--;
        response.end("{}");
      }, 3);
    });
  });
  const { url } = await listen(server);
  return { url, counts, order, peaks };
}

async function playDay(keys: string, options: RunOptions & { receiver: string }) {
  const recording = join(temporaryFolder(), "run.db");
  const { result, exitCode } = await play(day(keys), { recording, ...options });
  expect(result.ledger.events.gap + result.ledger.attempts.gap).toBe(0);
  expect(exitCode).toBe(0);
  const reader = openRecording(recording);
  const troubles = Array.from(reader.troubles(), ({ channel, number, try: tryNumber, kind, value }) =>
    [channel, number, tryNumber, kind, value].join(" "),
  ).toSorted();
  reader.close();
  return { result, troubles, recording };
}

describe.each([
  ["lockstep", {}],
  ["paced", { pace: "900x" }],
  ["max", { pace: "max" }],
] as const)("at %s", (_, pace) => {
  it("lost answers are retried, and the ledger has them by name", async () => {
    const { url, counts } = await countingReceiver();
    const { result } = await playDay("delivery: { answers-lost: true, times: 3 }", { receiver: url, ...pace });
    const events = result.ledger.events.in;
    expect([...counts.values()].reduce((sum, one) => sum + one, 0)).toBe(events + 3);
    expect(result.ledger.attempts).toMatchObject({
      in: events + 3,
      failed: 0,
      lost: { "answers-lost": 3 },
      troubled: { "answers-lost": 3 },
    });
    expect(result.ledger.events).toMatchObject({ delivered: events, queued: 0 });
  });

  it("copies come in parallel, delays and cuts end well", async () => {
    const { url, counts } = await countingReceiver();
    const keys = "delivery: { copies: 2, delay: 1s..30s, cut: body, share: 30% }";
    const { result } = await playDay(keys, { receiver: url, ...pace });
    expect(result.ledger.events.queued).toBe(0);
    expect(result.ledger.attempts.troubled?.["delay"]).toBeGreaterThan(0);
    expect(counts.size).toBe(result.ledger.events.in);
  });
});

it("the same seed gives the same troubles to first attempts at every pace", async () => {
  const { url } = await countingReceiver();
  const keys = "delivery: { answers-lost: 20%, delay: 1s..40s, copies: 2..3, share: 100% }";
  const of = async (pace: Pick<RunOptions, "pace">): Promise<string[]> => {
    const { troubles } = await playDay(keys.replace(", share: 100%", ""), { receiver: url, ...pace });
    return troubles.filter((one) => one.split(" ")[2] === "1");
  };
  const lockstep = await of({});
  expect(lockstep.length).toBeGreaterThan(10);
  expect(await of({ pace: "max" })).toEqual(lockstep);
});

it("a group of handsets and an entry of traffic have troubles of their own", async () => {
  const { url } = await countingReceiver();
  const text = day("").replace('{0}" } }\npeople', '{0}", delivery: { answers-lost: 100%, times: 1 } } }\npeople');
  const entry = text.replace("until: 10m }", "until: 10m, delivery: { types: [mo_sms], delay: 1s } }");
  const { result } = await play(entry, { receiver: url });
  expect(result.ledger.attempts.lost).toEqual({ "answers-lost": 1 });
  expect(result.ledger.attempts.troubled?.["answers-lost"]).toBe(1);
  // What leaves after the entry's end is not delayed.
  expect(result.ledger.attempts.troubled?.["delay"]).toBeGreaterThan(10);
});

it("a replay has troubles too, and without them it has none", async () => {
  const { url, counts } = await countingReceiver();
  const { recording } = await playDay("", { receiver: url });
  const events = counts.size;
  counts.clear();
  const options = { receiver: url, recording: "none" } as const;
  const { result } = await replayRecording(recording, { ...options, delivery: { copies: "2", types: ["mo_sms"] } });
  expect(result.ledger.events).toMatchObject({ in: events, copies: { copies: events }, delivered: 2 * events });
  expect([...counts.values()].every((count) => count === 2)).toBe(true);
  await expect(replayRecording(recording, { ...options, delivery: { dealy: "2s" } })).rejects.toThrow("--delivery");
});
