import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type HttpResult, HttpClient, type HttpClientOptions } from "../../src/http/index.js";
import { serveHttp } from "../support/server.js";
import { until } from "../support/until.js";
import { runs } from "../support/effort.js";

/** A client whose clock the test moves, and a server that collects bodies in the order in which they arrive. */
async function rig(options: HttpClientOptions = {}): Promise<{
  client: HttpClient;
  got: string[];
  post: (name: string, notBeforeMs?: number) => Promise<HttpResult>;
  pass: (ms: number) => Promise<void>;
}> {
  const got: string[] = [];
  const server = await serveHttp((request, response) => {
    request.on("data", (body: Buffer) => got.push(body.toString()));
    // The client watches a first connection that is kept alive, and needs a timer for that.
    request.on("end", () => response.setHeader("connection", "close").end());
  });
  let wallMs = 1000;
  // One connection: requests that wait for it are sent in the order of their due times.
  const client = new HttpClient({ connections: 1, wall: () => wallMs, ...options });
  onTestFinished(() => client.close());
  return {
    client,
    got,
    post: (name, notBeforeMs) =>
      new Promise((resolve) => client.post({ url: server.url, body: name, timeoutMs: 60_000, notBeforeMs }, resolve)),
    pass: async (ms) => {
      wallMs += ms;
      vi.advanceTimersByTime(ms);
      // A released timer schedules an immediate, which may schedule another one.
      for (let turns = 0; turns < 3; turns++) await nextTurn();
    },
  };
}

describe("requests that are not due", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  it("are sent when they are due, and not before; due ones at once", async () => {
    const { client, post, pass } = await rig();
    const now = post("now");
    const past = post("past", 900);
    const exact = post("exact", 1000);
    expect(client.notDue).toBe(0);
    const soon = post("soon", 1001.5);
    const late = post("late", 1000 + 3_600_000);
    expect(client).toMatchObject({ notDue: 2, inFlight: 1, waitingForConnection: 2 });
    for (const result of await Promise.all([now, past, exact])) {
      expect(result).toMatchObject({ status: 200, postedWallMs: 0 });
    }
    await pass(1);
    expect(client.notDue).toBe(2);
    await pass(0.5);
    expect((await soon).postedWallMs).toBe(1.5);
    await pass(3_599_998);
    expect(client.notDue).toBe(1);
    await pass(0.75);
    // The client was late by 0.25 ms, and `postedWallMs` shows it.
    expect((await late).postedWallMs).toBe(3_600_000.25);
    expect(client).toMatchObject({ notDue: 0, inFlight: 0, waitingForConnection: 0 });
  });

  it("are sent in the order of their due times, and of their posts when these are equal", async () => {
    const quarters = (max: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: 4 * max }).map((ms) => ms / 4);
    const dues = fc.array(fc.oneof(quarters(10), quarters(5000)), { minLength: 1, maxLength: 30 });
    const steps = fc.array(quarters(60), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(dues, steps, async (all, walls) => {
        const { client, got, post, pass } = await rig();
        const results = all.map((dueMs, index) => post(`${index}`, 1000 + dueMs));
        let wallMs = 0;
        const moments = [0];
        for (const ms of [...walls, 5001]) {
          await pass(ms);
          moments.push((wallMs += ms));
          expect(client.notDue).toBeGreaterThanOrEqual(all.filter((dueMs) => dueMs > wallMs).length);
        }
        const posted = await Promise.all(results);
        for (const [index, { postedWallMs }] of posted.entries()) {
          const dueMs = all[index] ?? 0;
          expect(moments).toContain(postedWallMs);
          expect(postedWallMs).toBeGreaterThanOrEqual(dueMs);
          // A timer has a resolution of 1 ms: the post may be 0.25 ms late.
          expect(postedWallMs).toBeLessThanOrEqual(moments.find((moment) => moment >= dueMs + 0.25) ?? NaN);
        }
        const indexes = all.map((_, index) => index);
        const order = indexes.toSorted((a, b) => (all[a] ?? 0) - (all[b] ?? 0) || a - b);
        expect(got).toEqual(order.map(String));
        client.close();
      }),
      { numRuns: runs(15) },
    );
  });

  it("are withdrawn with those that wait for a connection; later ones are not", async () => {
    const { client, got, post, pass } = await rig();
    const first = post("first");
    const others = [post("queued"), post("soon", 1001), post("late", 9000)];
    client.withdrawUnsent();
    expect(client).toMatchObject({ notDue: 0, waitingForConnection: 0 });
    for (const other of await Promise.all(others)) {
      expect(other).toMatchObject({ error: "withdrawn", postedWallMs: null, sentWallMs: null });
    }
    const next = post("next", 1002);
    await pass(10_000);
    expect(await first).toMatchObject({ status: 200 });
    expect(await next).toMatchObject({ status: 200 });
    expect(got).toEqual(["first", "next"]);
  });

  it("end when the client is closed", async () => {
    const { client, got, post, pass } = await rig();
    const held = [post("soon", 1001), post("late", 9000)];
    client.close();
    for (const one of await Promise.all([...held, post("after", 9000)])) {
      expect(one).toMatchObject({ error: "sender-closed", postedWallMs: null });
    }
    await pass(10_000);
    expect(got).toEqual([]);
  });

  it("fail at once when their URL is bad", async () => {
    const { client } = await rig();
    const result = await new Promise<HttpResult>((resolve) =>
      client.post({ url: "nonsense", body: "", timeoutMs: 1, notBeforeMs: 9000 }, resolve),
    );
    expect(result.error).toBe("bad-url");
    expect(client.notDue).toBe(0);
  });
});

it("a request waits for its due time by `performance.now`", async () => {
  const server = await serveHttp((_request, response) => response.end());
  const client = new HttpClient();
  onTestFinished(() => client.close());
  const dueMs = performance.now() + 25;
  let result: HttpResult | undefined;
  client.post({ url: server.url, body: "", timeoutMs: 5000, notBeforeMs: dueMs }, (one) => (result = one));
  await until(() => result !== undefined, "it is answered");
  expect(client.originMs + (result?.postedWallMs ?? 0)).toBeGreaterThanOrEqual(dueMs - 1e-6);
});
