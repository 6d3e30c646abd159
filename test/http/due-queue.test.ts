import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type HttpResult, HttpClient, type HttpClientOptions } from "../../src/http/index.js";
import { serveHttp } from "../support/server.js";
import { until } from "../support/until.js";

/** A sender on a wall that is moved by hand, and a server that tells in which order it was asked. */
async function rig(options: HttpClientOptions = {}): Promise<{
  sender: HttpClient;
  got: string[];
  post: (name: string, notBeforeMs?: number) => Promise<HttpResult>;
  pass: (ms: number) => Promise<void>;
}> {
  const got: string[] = [];
  const server = await serveHttp((request, response) => {
    request.on("data", (body: Buffer) => got.push(body.toString()));
    // A connection that is kept would first be watched for a moment, by a timer.
    request.on("end", () => response.setHeader("connection", "close").end());
  });
  let wallMs = 1000;
  // One connection: what waits for it goes in the order in which it was due.
  const sender = new HttpClient({ connections: 1, wall: () => wallMs, ...options });
  onTestFinished(() => sender.close());
  return {
    sender,
    got,
    post: (name, notBeforeMs) =>
      new Promise((resolve) =>
        sender.post({ url: server.url, body: name, timeoutMs: 60_000, notBeforeMs }, (exchange) => resolve(exchange)),
      ),
    pass: async (ms) => {
      wallMs += ms;
      vi.advanceTimersByTime(ms);
      // One turn for a timer that asks for the next one, and that one.
      for (let turns = 0; turns < 3; turns++) await nextTurn();
    },
  };
}

describe("requests that are not due", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  it("go when they are, and not before; those that are due go at once", async () => {
    const { sender, post, pass } = await rig();
    const now = post("now");
    const past = post("past", 900);
    const exact = post("exact", 1000);
    expect(sender.notDue).toBe(0);
    const soon = post("soon", 1001.5);
    const late = post("late", 1000 + 3_600_000);
    expect(sender).toMatchObject({ notDue: 2, inFlight: 1, waitingForConnection: 2 });
    for (const exchange of await Promise.all([now, past, exact])) {
      expect(exchange).toMatchObject({ status: 200, postedWallMs: 0 });
    }
    await pass(1);
    expect(sender.notDue).toBe(2);
    await pass(0.5);
    expect((await soon).postedWallMs).toBe(1.5);
    await pass(3_599_998);
    expect(sender.notDue).toBe(1);
    await pass(0.75);
    // Late by our own doing, and it says so.
    expect((await late).postedWallMs).toBe(3_600_000.25);
    expect(sender).toMatchObject({ notDue: 0, inFlight: 0, waitingForConnection: 0 });
  });

  it("go in the order of their instants, those of one instant as they came", async () => {
    const quarters = (max: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: 4 * max }).map((ms) => ms / 4);
    const dues = fc.array(fc.oneof(quarters(10), quarters(5000)), { minLength: 1, maxLength: 30 });
    const steps = fc.array(quarters(60), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(dues, steps, async (all, walls) => {
        const { sender, got, post, pass } = await rig();
        const exchanges = all.map((dueMs, index) => post(`${index}`, 1000 + dueMs));
        let wallMs = 0;
        const moments = [0];
        for (const ms of [...walls, 5001]) {
          await pass(ms);
          moments.push((wallMs += ms));
          expect(sender.notDue).toBeGreaterThanOrEqual(all.filter((dueMs) => dueMs > wallMs).length);
        }
        const posted = await Promise.all(exchanges);
        for (const [index, { postedWallMs }] of posted.entries()) {
          const dueMs = all[index] ?? 0;
          expect(moments).toContain(postedWallMs);
          expect(postedWallMs).toBeGreaterThanOrEqual(dueMs);
          // A timer takes whole milliseconds: it may be a quarter late.
          expect(postedWallMs).toBeLessThanOrEqual(moments.find((moment) => moment >= dueMs + 0.25) ?? NaN);
        }
        const places = all.map((_, index) => index);
        // Those that were due when they were posted did not wait for the others.
        const order = places.toSorted((a, b) => (all[a] ?? 0) - (all[b] ?? 0) || a - b);
        expect(got).toEqual(order.map(String));
        sender.close();
      }),
      { numRuns: 30 },
    );
  });

  it("are taken back with those that wait for a connection, and later ones are not", async () => {
    const { sender, got, post, pass } = await rig();
    const first = post("first");
    const others = [post("queued"), post("soon", 1001), post("late", 9000)];
    sender.withdrawUnsent();
    expect(sender).toMatchObject({ notDue: 0, waitingForConnection: 0 });
    for (const other of await Promise.all(others)) {
      expect(other).toMatchObject({ error: "withdrawn", postedWallMs: null, sentWallMs: null });
    }
    const next = post("next", 1002);
    await pass(10_000);
    expect(await first).toMatchObject({ status: 200 });
    expect(await next).toMatchObject({ status: 200 });
    expect(got).toEqual(["first", "next"]);
  });

  it("end with a sender that is closed", async () => {
    const { sender, got, post, pass } = await rig();
    const held = [post("soon", 1001), post("late", 9000)];
    sender.close();
    for (const one of await Promise.all([...held, post("after", 9000)])) {
      expect(one).toMatchObject({ error: "sender-closed", postedWallMs: null });
    }
    await pass(10_000);
    expect(got).toEqual([]);
  });

  it("are refused at once where they could never be sent", async () => {
    const { sender } = await rig();
    const exchange = await new Promise<HttpResult>((resolve) =>
      sender.post({ url: "nonsense", body: "", timeoutMs: 1, notBeforeMs: 9000 }, resolve),
    );
    expect(exchange.error).toBe("bad-url");
    expect(sender.notDue).toBe(0);
  });
});

it("a request is held by the wall's clock", async () => {
  const server = await serveHttp((_request, response) => response.end());
  const sender = new HttpClient();
  onTestFinished(() => sender.close());
  const dueMs = performance.now() + 25;
  let exchange: HttpResult | undefined;
  sender.post({ url: server.url, body: "", timeoutMs: 5000, notBeforeMs: dueMs }, (one) => (exchange = one));
  await until(() => exchange !== undefined, "it is answered");
  expect(sender.originMs + (exchange?.postedWallMs ?? 0)).toBeGreaterThanOrEqual(dueMs - 1e-6);
});
