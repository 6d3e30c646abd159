import { createServer, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRecording, type RunOptions } from "../../src/index.js";
import { temporaryFolder } from "../support/folder.js";
import { listen, serveTcp } from "../support/server.js";
import { play } from "./support.js";

/** A request as a receiver that shares no code with the product sees it. */
interface Seen {
  readonly event: URLSearchParams;
  /** Number of the connection, from 1. */
  readonly connection: number;
  /** Wall milliseconds from the request's first byte to its last. */
  readonly tookMs: number;
  /** Requests that were under way when its last byte came, this one included. */
  readonly underWay: number;
}

/** An HTTP receiver that logs requests. @param answerAfterMs - wall milliseconds */
async function loggingReceiver({ answerAfterMs = 0, status = 200, answer = "{}" } = {}) {
  const seen: Seen[] = [];
  const connections = new Map<IncomingMessage["socket"], number>();
  let underWay = 0;
  const server = createServer((request, response) => {
    const startedAt = performance.now();
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      underWay++;
      const connection = connections.get(request.socket) ?? 0;
      seen.push({ event: new URLSearchParams(body), connection, tookMs: performance.now() - startedAt, underWay });
      setTimeout(() => {
        underWay--;
        response.writeHead(status).end(answer);
      }, answerAfterMs);
    });
  });
  server.on("connection", (socket) => connections.set(socket, connections.size + 1));
  const { url } = await listen(server);
  return { url, seen, told: () => seen.map(({ event }) => `${event.get("event")} ${event.get("text")}`) };
}

/** Ada texts at 1m, 2m and 3m; at 10m the service writes to her. */
const day = (step: string, { lasts = "1h", drain = "0s" } = {}): string => `
name: Trouble on the way
starts: 2026-03-04T06:00:00.000Z
lasts: ${lasts}
drain: ${drain}
carriers: { net: { reports-delivery: 100%, reports-after: 8s } }
handsets: { clinic: { phone: "+250788000001" } }
people: { ada: { of: clinic, phone: "+250788111111" } }
story:
  - { at: 1s, delivery: ${step} }
  - { at: 1m, text: { from: ada, to: clinic, body: one } }
  - { at: 2m, text: { from: ada, to: clinic, body: two } }
  - { at: 3m, text: { from: ada, to: clinic, body: three } }
  - { at: 10m, send: { via: clinic, to: ada, body: hello } }
`;

/** Plays a day and reads back what was recorded. */
async function playDay(step: string, receiver: string, options: RunOptions & { lasts?: string; drain?: string } = {}) {
  const { lasts, drain, ...rest } = options;
  const recording = join(temporaryFolder(), "run.db");
  const { result, exitCode } = await play(day(step, { lasts, drain }), { receiver, recording, ...rest });
  const reader = openRecording(recording);
  const events = [...reader.events()];
  const troubles = [...reader.troubles()];
  reader.close();
  expect(result.ledger.attempts.gap).toBe(0);
  expect(result.ledger.events.gap).toBe(0);
  return { result, exitCode, events, troubles };
}

describe("in lockstep, trouble on the way shows at the receiver:", () => {
  it("an answer is lost, so the service retries an event that the receiver has accepted", async () => {
    const { url, told } = await loggingReceiver();
    const { result, events, troubles } = await playDay("{ types: [mo_sms], answers-lost: true, times: 1 }", url);
    expect(told()).toEqual([
      "mo_sms one",
      "mo_sms two",
      "mo_sms three",
      "mo_sms one",
      "mt_sent hello",
      "mt_dlvd hello",
    ]);
    expect(result.attempts).toMatchObject({ accepted: 5, timeout: 1, connection: 0 });
    expect(result.ledger.attempts).toMatchObject({
      in: 6,
      delivered: 5,
      failed: 0,
      lost: { "answers-lost": 1 },
      troubled: { "answers-lost": 1 },
    });
    expect(result.ledger.events).toMatchObject({ in: 5, delivered: 5, failed: 0, lost: {} });
    const [lost, retry] = events[0]?.attempts ?? [];
    expect(lost).toMatchObject({ try: 1, status: null, error: "delivery:answers-lost", outcome: "timeout" });
    expect(Buffer.from(lost?.body ?? []).toString()).toBe("{}");
    expect(retry).toMatchObject({ try: 2, status: 200, dueAtMs: (lost?.dueAtMs ?? 0) + 300_000 });
    expect(troubles).toMatchObject([{ channel: 1, number: 1, try: 1, kind: "answers-lost", value: "" }]);
  });

  it("a lost answer takes the service's timeout, in virtual time", async () => {
    const { url } = await loggingReceiver();
    const step = "{ types: [mo_sms], answers-lost: true, times: 1 }";
    const text = `${day(step)}receiver: { url: ${url}, timeout: 40s }\n`;
    const recording = join(temporaryFolder(), "run.db");
    await play(text, { receiver: url, recording });
    const reader = openRecording(recording);
    const attempts = [...reader.attempts()];
    reader.close();
    const lost = attempts.find(({ error }) => error !== null);
    expect((lost?.effectAtMs ?? 0) - (lost?.dueAtMs ?? 0)).toBe(40_000);
    const accepted = attempts.filter(({ error }) => error === null);
    expect(new Set(accepted.map(({ effectAtMs, dueAtMs }) => effectAtMs - dueAtMs))).toEqual(new Set([5000]));
  });

  it("a request is lost, so the receiver gets only the retry", async () => {
    const { url, told } = await loggingReceiver();
    const { result, events } = await playDay("{ types: [mo_sms], requests-lost: true, times: 1 }", url);
    expect(told()).toEqual(["mo_sms two", "mo_sms three", "mo_sms one", "mt_sent hello", "mt_dlvd hello"]);
    expect(result.ledger.attempts).toMatchObject({ in: 6, delivered: 5, failed: 0, lost: { "requests-lost": 1 } });
    expect(events[0]?.attempts[0]).toMatchObject({
      error: "delivery:requests-lost",
      outcome: "timeout",
      sentWallMs: null,
    });
  });

  it("all requests are lost: the events are lost by that name, and the receiver is not missed", async () => {
    const { url, seen } = await loggingReceiver();
    const { result, exitCode } = await playDay("{ requests-lost: true }", url);
    expect(seen).toEqual([]);
    expect(exitCode).toBe(0);
    expect(result.problems).toEqual([]);
    expect(result.ledger.events).toMatchObject({ in: 5, delivered: 0, failed: 0, lost: { "requests-lost": 5 } });
    expect(result.outages ?? []).toEqual([]);
  });

  it("a connection is refused", async () => {
    const { url, told } = await loggingReceiver();
    const { result, events } = await playDay("{ types: [mt_sent], refused: true, times: 1 }", url);
    expect(told().slice(3)).toEqual(["mt_dlvd hello", "mt_sent hello"]);
    expect(result.attempts).toMatchObject({ accepted: 5, connection: 1, timeout: 0 });
    expect(result.ledger.attempts.lost).toEqual({ refused: 1 });
    expect(events.find(({ type }) => type === "mt_sent")?.attempts[0]).toMatchObject({ error: "delivery:refused" });
  });

  it("an mt_dlvd comes before its mt_sent, which is delayed", async () => {
    const { url, told } = await loggingReceiver();
    const { result, events } = await playDay("{ types: [mt_sent], delay: 40s..90s, times: 1 }", url);
    expect(told().slice(3)).toEqual(["mt_dlvd hello", "mt_sent hello"]);
    expect(result.attempts).toMatchObject({ accepted: 5, timeout: 0, connection: 0 });
    expect(result.ledger.attempts).toMatchObject({ in: 5, delivered: 5, lost: {}, troubled: { delay: 1 } });
    const sent = events.find(({ type }) => type === "mt_sent");
    const lateMs = (sent?.attempts[0]?.dueAtMs ?? 0) - (sent?.atMs ?? 0);
    expect(lateMs).toBeGreaterThanOrEqual(40_000);
    expect(lateMs).toBeLessThanOrEqual(90_000);
  });

  it("an event is overtaken by two later ones", async () => {
    const { url, told } = await loggingReceiver();
    const { result } = await playDay("{ types: [mo_sms], overtaken-by: 2, times: 1 }", url);
    expect(told()).toEqual(["mo_sms two", "mo_sms three", "mo_sms one", "mt_sent hello", "mt_dlvd hello"]);
    expect(result.ledger.attempts.troubled).toEqual({ "overtaken-by": 1 });
  });

  it("where every event is to be overtaken, pairs swap, and none waits longer than five minutes", async () => {
    const { url, told } = await loggingReceiver();
    const { events } = await playDay("{ overtaken-by: 1 }", url);
    expect(told()).toEqual(["mo_sms two", "mo_sms one", "mo_sms three", "mt_dlvd hello", "mt_sent hello"]);
    const [, , three] = events;
    expect((three?.attempts[0]?.dueAtMs ?? 0) - (three?.atMs ?? 0)).toBe(300_000);
  });

  it("copies of a request come in parallel, on connections of their own, and each answer counts", async () => {
    const { url, told, seen } = await loggingReceiver({ answerAfterMs: 30 });
    const { result, events } = await playDay("{ types: [mo_sms], copies: 3, times: 1 }", url);
    expect(told().slice(0, 4)).toEqual(["mo_sms one", "mo_sms one", "mo_sms one", "mo_sms two"]);
    expect(seen.slice(0, 3).map(({ underWay }) => underWay)).toEqual([1, 2, 3]);
    expect(new Set(seen.slice(0, 3).map(({ connection }) => connection)).size).toBe(3);
    expect(events[0]?.attempts.map((one) => [one.try, one.status, one.dueAtMs])).toEqual(
      [1, 2, 3].map((number) => [number, 200, events[0]?.atMs]),
    );
    expect(result.ledger.events).toMatchObject({ in: 5, copies: { copies: 2 }, delivered: 7 });
    expect(result.ledger.attempts).toMatchObject({ in: 7, delivered: 7, troubled: { copies: 1 } });
  });

  it("a copy is no retry: where all fail, the event has its attempts, and the copies end", async () => {
    const { url, seen } = await loggingReceiver({ status: 500 });
    const { result } = await playDay("{ types: [mt_sent], copies: 2, times: 1 }", url);
    expect(seen.filter(({ event }) => event.get("event") === "mt_sent")).toHaveLength(5);
    expect(result.ledger.events).toMatchObject({ in: 5, copies: { copies: 1 }, failed: 6, queued: 0 });
  });

  it.each([
    ["headers", (text: string) => !text.includes("\r\n\r\n")],
    ["body", (text: string) => text.includes("\r\n\r\nevent=mo_sms") && !text.includes("status=")],
  ])("a connection is cut in the %s", async (place, isCut) => {
    const connections: string[] = [];
    const { url } = await serveTcp((socket, count) => {
      connections[count - 1] = "";
      socket.on("data", (chunk) => {
        connections[count - 1] += chunk.toString("latin1");
        const text = connections[count - 1] ?? "";
        const [, length] = /content-length: (\d+)/.exec(text) ?? [];
        const [, body = ""] = text.split("\r\n\r\n");
        if (length !== undefined && body.length === Number(length))
          socket.end("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}");
      });
    });
    const { result, events } = await playDay(`{ types: [mo_sms], cut: ${place}, times: 1 }`, url);
    expect(connections).toHaveLength(6);
    expect(connections.map((text) => isCut(text))).toEqual([true, false, false, false, false, false]);
    expect(events[0]?.attempts).toMatchObject([
      { error: "delivery:cut", outcome: "connection", status: null },
      { status: 200, outcome: "accepted" },
    ]);
    expect(result.ledger.attempts).toMatchObject({ in: 6, delivered: 5, failed: 0, lost: { cut: 1 } });
  });

  it("a connection is cut in the answer: the receiver has the whole request, and gets it again", async () => {
    const { url, told } = await loggingReceiver();
    const { result, events } = await playDay("{ types: [mo_sms], cut: answer, times: 1 }", url);
    expect(told().filter((one) => one === "mo_sms one")).toHaveLength(2);
    expect(events[0]?.attempts[0]).toMatchObject({ error: "delivery:cut", outcome: "connection" });
    expect(result.ledger.attempts.lost).toEqual({ cut: 1 });
  });

  it("a request arrives slowly, and the slow way is not the receiver's latency", async () => {
    const { url, seen } = await loggingReceiver();
    const { result } = await playDay("{ types: [mo_sms], slow: 1kB/s, times: 1 }", url);
    const [slow, ...others] = seen;
    // Its body alone has more than 120 bytes.
    expect(slow?.tookMs).toBeGreaterThan(100);
    expect(others.every(({ tookMs }) => tookMs < (slow?.tookMs ?? 0))).toBe(true);
    expect(result.attempts).toMatchObject({ accepted: 5, timeout: 0 });
    expect(result.latencyMs.max).toBeLessThan(slow?.tookMs ?? 0);
  });

  it("a slow request that outlasts the timeout is still taken: the timeout counts from its last byte", async () => {
    const { url } = await loggingReceiver();
    const text = `${day("{ types: [mo_sms], slow: 1kB/s, times: 1 }")}receiver: { url: ${url}, timeout: 200ms }\n`;
    const { result } = await play(text, { receiver: url });
    expect(result.attempts).toMatchObject({ accepted: 5, timeout: 0, connection: 0 });
  });
});
