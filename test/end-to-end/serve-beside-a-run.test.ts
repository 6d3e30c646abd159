import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openRecording, type RunOptions, type RunOutcome } from "../../src/index.js";
import { handset } from "../cli/terminal.js";
import { temporaryFolder } from "../support/folder.js";
import { freePort } from "../support/server.js";
import { Client } from "./served.js";
import { play, receiverThat } from "./support.js";

/** People send texts; the replies come over the API. */
const questions = `
name: Questions
seed: 10
starts: 2026-03-04T06:00:00.000Z
lasts: 2m
lookahead: 1s
carriers: { network: { delay: 1s..3s } }
handsets: { clinic: { count: 2, phone: "+2507880{00000}", network: LTE } }
people: { farmers: { count: 10, of: clinic, phone: "+2507811{00000}" } }
traffic: [{ texts: { from: farmers, to: clinic, body: { pick: [join, help, maize] } }, rate: 2/m }]
expect: [ledger.gap == 0]
`;

interface Answering {
  readonly outcome: RunOutcome;
  readonly recording: string;
  /** Broadcasts that were answered 201. */
  readonly accepted: number;
  readonly wallMs: number;
  /** Longest wall time from the answer to an event until the API request that replies has ended, in milliseconds. */
  readonly slowestMs: number;
}

/** Plays against a receiver that answers at once and sends its reply over the API a moment later. */
async function answering(options: Partial<RunOptions> & { afterMs: (n: number) => number }): Promise<Answering> {
  const { afterMs, ...rest } = options;
  const recording = join(temporaryFolder(), "run.db");
  let api: Client | undefined;
  let accepted = 0;
  let count = 0;
  let slowestMs = 0;
  const replies: Promise<void>[] = [];
  const receiver = await receiverThat((body, response) => {
    response.end("{}");
    const event = new URLSearchParams(body);
    if (event.get("event") !== "mo_sms") return;
    const urns = [`tel:${event.get("phone")}`];
    const text = `You wrote ${event.get("text")}`;
    const delayMs = afterMs(count++);
    const answeredAt = performance.now();
    replies.push(
      wait(delayMs)
        .then(() => api?.post("broadcasts.json", { text, urns }))
        .then((answered) => {
          if (answered?.status === 201) accepted++;
          slowestMs = Math.max(slowestMs, performance.now() - answeredAt);
        }),
    );
  });
  const startedAt = performance.now();
  const outcome = await play(questions, {
    recording,
    receiver: receiver.url,
    api: { port: 0 },
    onStart: ({ api: offered }) => {
      if (offered !== undefined) api = new Client(`${offered.url}/api/v2/`, offered.token);
    },
    ...rest,
  });
  const wallMs = performance.now() - startedAt;
  await Promise.allSettled(replies);
  return { outcome, recording, accepted, wallMs, slowestMs };
}

/** The default of `settleMs`. */
const SETTLE_MS = 100;

/** As `answering`, but plays again, up to 4 times, if on a busy machine a reply came later than the settle time. */
async function settled(options: Parameters<typeof answering>[0]): Promise<Answering> {
  for (let left = 4; ; left--) {
    const answered = await answering(options);
    const isInTime = answered.slowestMs < SETTLE_MS && answered.outcome.result.warnings?.length === 0;
    if (left === 0 || isInTime) return answered;
  }
}

describe("the API beside a run", () => {
  it("lets a receiver call back a moment later, in virtual time, the same at every run", async () => {
    const first = await settled({ afterMs: () => 1 });
    const { result, exitCode } = first.outcome;
    expect([exitCode, result.lost]).toEqual([0, 0]);
    const reader = openRecording(first.recording);
    const messages = [...reader.messages()];
    const events = [...reader.events()];
    const inputs = [...reader.inputs()].filter(({ kind }) => kind === "api");
    reader.close();
    const texts = messages.filter(({ direction }) => direction === "I");
    const replies = messages.filter(({ origin }) => origin === "api");
    expect(texts.length).toBeGreaterThan(4);
    expect([first.accepted, inputs.length, replies.length]).toEqual([texts.length, texts.length, texts.length]);
    // Each reply takes effect within the lookahead, 1 s, of an event.
    const instants = new Set(events.filter(({ type }) => type === "mo_sms").map(({ atMs }) => atMs));
    for (const { atMs } of inputs)
      expect([...instants].some((eventAtMs) => atMs >= eventAtMs && atMs <= eventAtMs + 1000)).toBe(true);
    // All replies but the last ones are delivered.
    expect(replies.filter(({ status }) => status === "D").length).toBeGreaterThan(texts.length - 3);

    // The receiver's delay does not change the digest while it is shorter than the settle time.
    const second = await settled({ afterMs: (n) => n % 20 });
    expect(second.outcome.result.digest).toBe(result.digest);
    expect(second.accepted).toBe(first.accepted);
  });

  it("gives the same digest for each delay of the receiver below 100 ms, without --settle", async () => {
    const delays: ((n: number) => number)[] = [() => 0, (n) => (n * 7) % 20, () => 25];
    const digests = new Set<string>();
    for (const afterMs of delays) {
      const { outcome, accepted } = await settled({ afterMs });
      expect(accepted).toBeGreaterThan(4);
      expect(outcome.result.warnings).toEqual([]);
      digests.add(outcome.result.digest);
    }
    expect(digests.size).toBe(1);
  });

  it("gives one digest where a receiver of four connections calls back at once for each event", async () => {
    const digests = new Set<string>();
    for (const afterMs of [(): number => 0, (n: number): number => (n * 7) % 5]) {
      const { outcome, accepted } = await settled({ afterMs, connections: 4 });
      expect(accepted).toBeGreaterThan(4);
      expect(outcome.result.warnings).toEqual([]);
      digests.add(outcome.result.digest);
    }
    expect(digests.size).toBe(1);
  });

  it("warns how many writes came while virtual time passed, since the same seed may then give another digest", async () => {
    const stop = new AbortController();
    let labels: Promise<void> | undefined;
    const { result } = await play(questions, {
      receiver: "none",
      // It ends when the writes have been answered, however long that takes.
      set: ["lasts=2000h"],
      signal: stop.signal,
      api: { port: 0 },
      onStart: ({ api }) => {
        const client = new Client(`${api?.url}/api/v2/`, api?.token ?? "");
        const write = async (): Promise<void> => {
          for (let n = 0; n < 20; n++) await client.done("POST", "labels.json", { name: `Label ${n}` });
        };
        labels = write().finally(() => stop.abort());
      },
    });
    await labels;
    expect(result.warnings?.join()).toMatch(
      /\d+ API requests? came while virtual time passed: .* the same seed may give another digest; a longer --settle/,
    );
  });

  it("takes no more time than --settle, where no client sends requests", async () => {
    const plain = await play(questions, { receiver: "bundled" });
    const startedAt = performance.now();
    const { result } = await play(questions, { receiver: "bundled", api: { port: 0 }, settleMs: 10 });
    const wallMs = performance.now() - startedAt;
    expect(result.digest).toBe(plain.result.digest);
    // A window holds at least one attempt.
    const attempts = result.attempts.accepted;
    // A generous limit, for a busy machine.
    expect(wallMs).toBeLessThan(30_000 + attempts * 2 * 10);
    expect(wallMs).toBeGreaterThan(10);
  });

  it("begins with the account that is named, and takes its token", async () => {
    const receiver = await receiverThat((_body, response) => void response.end("{}"));
    let body: unknown;
    const outcome = await play(questions, {
      receiver: receiver.url,
      accounts: [{ kind: "text", file: "a.yaml", text: "account: { name: Beside }\nlabels: [A]\n" }],
      api: { port: 0, token: "beside-token" },
      pace: 3600,
      onStart: ({ api }) => {
        if (api === undefined) return;
        const client = new Client(`${api.url}/api/v2/`, "beside-token");
        void client.get("org.json").then((answered) => (body = answered.body));
      },
    });
    expect(outcome.result.lost).toBe(0);
    expect(body).toMatchObject({ name: "Beside" });
  });
});

/** A receiver program: it answers events, and replies over the API whose address and token its environment has. */
const program = `
import { createServer } from "node:http";

const { HANDSET_API_URL: url, HANDSET_API_TOKEN: token } = process.env;
createServer((request, response) => {
  let body = "";
  request.on("data", (chunk) => (body += chunk)).on("end", () => {
    response.end("{}");
    const event = new URLSearchParams(body);
    if (event.get("event") !== "mo_sms") return;
    setTimeout(() => fetch(url + "/api/v2/broadcasts.json", {
      method: "POST",
      headers: { authorization: "Token " + token, "content-type": "application/json" },
      body: JSON.stringify({ text: "Thanks for " + event.get("text"), urns: ["tel:" + event.get("phone")] }),
    }), 5);
  });
}).listen(Number(process.argv[2]), "127.0.0.1");
`;

describe("handset run --api", () => {
  it("tells a command after -- where the API is", async () => {
    const folder = temporaryFolder();
    const scenario = join(folder, "questions.yaml");
    const receiver = join(folder, "receiver.mjs");
    const recording = join(folder, "run.db");
    writeFileSync(scenario, questions);
    writeFileSync(receiver, program);
    const port = await freePort();
    const flags = `-r http://127.0.0.1:${port}/ --api 0 --json --quiet --set lasts=90s`.split(" ");
    const command = ["--", process.execPath, receiver, String(port)];
    const { code, stderr } = await handset(["run", scenario, ...flags, "--recording", recording, ...command]);
    expect([code, stderr]).toEqual([0, ""]);
    const reader = openRecording(recording);
    const texts = [...reader.messages()].filter(({ origin }) => origin === "api").map(({ text }) => text);
    reader.close();
    expect(texts.every((text) => /^Thanks for (join|help|maize)$/.test(text))).toBe(true);
    expect(texts.length).toBeGreaterThan(2);
  });
});
