import { describe, expect, it } from "vitest";
import type { FinishedAttempt } from "../../src/delivery/index.js";
import { serveHttp, type TestServer } from "../support/server.js";
import { until } from "../support/until.js";
import { Rig } from "./rig.js";

/** A receiver that lists events, and a Delivery whose recording the test flushes: `flushes` has its callbacks. */
async function slowRecording(options: { answersAfterMs?: number | undefined } = {}): Promise<{
  rig: Rig;
  server: TestServer;
  got: string[];
  flushes: (() => void)[];
}> {
  const got: string[] = [];
  const server = await serveHttp((request, response) => {
    got.push(String(request.headers["x-handset-event"]));
    response.end("{}");
  });
  const flushes: (() => void)[] = [];
  const rig = new Rig(server.url, {
    recording: { whenFlushed: (then) => void flushes.push(then) },
    answersAfterMs: undefined,
    ...options,
  });
  return { rig, server, got, flushes };
}

const recordedAttempt: Omit<FinishedAttempt, "channel" | "number" | "try"> = {
  dueAtMs: 1000,
  effectAtMs: 1000,
  sentWallMs: 20,
  durationMs: 5,
  latencyMs: 7,
  latenessMs: 2,
  status: 200,
  error: null,
  headers: null,
  body: null,
  bodyBytes: 0,
  redirects: [],
  isRepeat: false,
};

describe("an attempt", () => {
  it("is sent when everything before it is durable, and not earlier", async () => {
    const { rig, got, flushes } = await slowRecording();
    rig.eventAt(1000, 1, 1);
    rig.eventAt(1000, 1, 2);
    rig.kernel.run(2000, 10);
    expect(flushes).toEqual([]);
    rig.delivery.dispatchAttempts();
    rig.delivery.dispatchAttempts();
    expect(flushes).toHaveLength(1);
    expect(rig.delivery.inFlight).toBe(2);
    await new Promise(setImmediate);
    expect(got).toEqual([]);
    for (const then of flushes.splice(0)) then();
    while (rig.delivery.inFlight > 0) await rig.delivery.progress();
    expect(got.sort()).toEqual(["1/1", "1/2"]);
    expect(rig.close().attempts).toMatchObject({ in: 2, delivered: 2, gap: 0 });
  });

  it("that is paced does not wait for a larger batch while others wait for a connection", async () => {
    for (const dueWallMs of [undefined, (): number => 0]) {
      const flushes: (() => void)[] = [];
      let isSlow = true;
      const server = await serveHttp((_request, response) => response.end());
      const rig = new Rig(server.url, {
        recording: { whenFlushed: (then) => void (isSlow ? flushes.push(then) : then()) },
        answersAfterMs: undefined,
        connections: 1,
        ...(dueWallMs !== undefined && { dueWallMs }),
      });
      for (const [atMs, number] of [
        [1000, 1],
        [1000, 2],
        [2000, 3],
      ] as const) {
        rig.eventAt(atMs, 1, number);
      }
      rig.kernel.run(2000, 10);
      rig.delivery.dispatchAttempts();
      for (const then of flushes.splice(0)) then();
      rig.kernel.run(3000, 10);
      rig.delivery.dispatchAttempts();
      expect(flushes).toHaveLength(dueWallMs === undefined ? 0 : 1);
      isSlow = false;
      for (const then of flushes.splice(0)) then();
      await rig.delivery.drain();
      expect(rig.attempts).toHaveLength(3);
    }
  });

  it("that is unsent when sending stops is withdrawn, and its event stays queued", async () => {
    const { rig, got, flushes } = await slowRecording();
    rig.eventAt(1000, 1, 1);
    rig.kernel.run(2000, 10);
    rig.delivery.stopSending();
    for (const then of flushes.splice(0)) then();
    await rig.delivery.drain();
    expect(got).toEqual([]);
    const { events, attempts } = rig.close();
    expect(events).toMatchObject({ in: 1, queued: 1, gap: 0 });
    expect(attempts).toMatchObject({ in: 1, gap: 0, lost: { withdrawn: 1 } });
  });
});

it("an attempt that cannot be recorded is not sent, and its event stays queued", async () => {
  for (const answersAfterMs of [undefined, 5000]) {
    const got: string[] = [];
    const server = await serveHttp((request, response) => {
      got.push(String(request.headers["x-handset-event"]));
      response.end();
    });
    const whenFlushed = (): never => {
      throw new Error("the disk is full");
    };
    const rig = new Rig(server.url, { recording: { whenFlushed }, answersAfterMs });
    rig.eventAt(1000, 1, 1);
    rig.kernel.run(2000, 10);
    rig.delivery.dispatchAttempts();
    await rig.delivery.drain();
    expect(rig.errors.map(String)).toEqual(["Error: the disk is full"]);
    expect(got).toEqual([]);
    const { events, attempts } = rig.close();
    expect(events).toMatchObject({ in: 1, queued: 1, gap: 0 });
    expect(attempts).toMatchObject({ in: 1, gap: 0, lost: { withdrawn: 1 } });
  }
});

describe("a re-executed run", () => {
  it("applies recorded attempts without sending them", async () => {
    const { rig, got } = await slowRecording();
    rig.eventAt(1000, 1, 1);
    rig.kernel.run(2000, 10);
    expect(rig.delivery.applyRecordedAttempt({ ...recordedAttempt, channel: 1, number: 1, try: 2 })).toBe(false);
    expect(rig.delivery.applyRecordedAttempt({ ...recordedAttempt, channel: 1, number: 2, try: 1 })).toBe(false);
    expect(rig.delivery.applyRecordedAttempt({ ...recordedAttempt, channel: 1, number: 1, try: 1 })).toBe(true);
    expect(rig.delivery.applyRecordedAttempt({ ...recordedAttempt, channel: 1, number: 1, try: 1 })).toBe(false);
    expect(rig.attempts).toMatchObject([{ latencyMs: 7, latenessMs: 2, sentWallMs: 20, outcome: "accepted" }]);
    expect(rig.delivery).toMatchObject({ inFlight: 0, hadConnection: true, silentSinceWallMs: undefined });
    expect(got).toEqual([]);
    expect(rig.close().events).toMatchObject({ in: 1, delivered: 1, gap: 0 });
  });

  it("retries a recorded failure when its wait is over", async () => {
    const { rig, got, flushes } = await slowRecording({ answersAfterMs: 5000 });
    rig.eventAt(1000, 1, 1);
    rig.kernel.run(2000, 10);
    expect(rig.delivery.applyRecordedAttempt({ ...recordedAttempt, status: 500, channel: 1, number: 1, try: 1 })).toBe(
      true,
    );
    expect(rig.attempts).toEqual([]);
    rig.kernel.run(10_000, 10);
    expect(rig.attempts).toMatchObject([{ effectAtMs: 6000, outcome: "retried" }]);
    rig.kernel.run(302_000, 10);
    rig.delivery.dispatchAttempts();
    for (const then of flushes.splice(0)) then();
    await rig.delivery.drain();
    expect(got).toEqual(["1/1"]);
    expect(rig.attempts.at(-1)).toMatchObject({ try: 2, outcome: "accepted" });
  });

  it("continues live: an unsent attempt is marked as repeat and due now, and recorded times continue", async () => {
    let isReexecuting = true;
    const got: unknown[] = [];
    const server = await serveHttp((request, response) => {
      got.push(request.headers["x-handset-repeat"]);
      response.end("{}");
    });
    let wallMs = 50_000;
    const rig = new Rig(server.url, {
      answersAfterMs: undefined,
      recording: { whenFlushed: (then) => then() },
      isRepeat: () => isReexecuting,
      wall: () => wallMs,
      dueWallMs: () => 10,
    });
    rig.eventAt(1000, 1, 1);
    rig.kernel.run(2000, 10);
    isReexecuting = false;
    rig.delivery.continueAfterReexecution({ wallFromMs: 1_000_000 });
    rig.eventAt(3000, 1, 2);
    rig.delivery.dispatchAttempts();
    await until(() => rig.attempts.length === 1, "the repeat is answered");
    wallMs = 60_000;
    rig.kernel.run(4000, 10);
    rig.delivery.dispatchAttempts();
    await until(() => rig.attempts.length === 2, "the next is answered");
    expect(got).toEqual(["1", undefined]);
    expect(rig.attempts.map(({ isRepeat }) => isRepeat)).toEqual([true, false]);
    expect(rig.attempts.map(({ latencyMs }) => latencyMs)).toEqual([0, 59_990]);
    for (const { sentWallMs } of rig.attempts) expect(sentWallMs).toBeGreaterThanOrEqual(1_000_000);
  });
});
