import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiIdleness } from "../../../src/lab/time/api-idleness.js";
import { serveHttp } from "../../support/server.js";
import { LoopRig } from "../loop-rig.js";

describe("waitUntilIdle", () => {
  beforeEach(
    () =>
      void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] }),
  );
  afterEach(() => void vi.useRealTimers());

  /** Whether `waitUntilIdle(200)` had resolved after each span (a number); functions run between spans. */
  async function settled(idle: ApiIdleness, steps: readonly (number | (() => void))[]): Promise<boolean[]> {
    let isOver = false;
    const over: boolean[] = [];
    void idle.waitUntilIdle(200).then(() => (isOver = true));
    for (const step of steps) {
      if (typeof step === "function") step();
      else await vi.advanceTimersByTimeAsync(step);
      if (typeof step === "number") over.push(isOver);
    }
    return over;
  }

  it("waits for its time, counted from the call, if there are no requests", async () => {
    const idle = new ApiIdleness();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await settled(idle, [199, 2])).toEqual([false, true]);
  });

  it("counts again from each request and each answer", async () => {
    const idle = new ApiIdleness();
    let end = (): void => undefined;
    const over = await settled(idle, [150, () => (end = idle.beginRequest()), 190, () => end(), 199, 2]);
    expect(over).toEqual([false, false, false, true]);
  });

  it("waits for the last of several requests; a second end of one request counts nothing", async () => {
    const idle = new ApiIdleness();
    const [first, second] = [idle.beginRequest(), idle.beginRequest()];
    const twice = (): void => {
      first();
      first();
    };
    expect(await settled(idle, [1000, twice, 1000, () => expect(idle.inFlight).toBe(1), second, 199, 2])).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect(idle.inFlight).toBe(0);
  });

  it("resolves at once when the run is over, also with a request in flight, and from then on", async () => {
    const idle = new ApiIdleness();
    idle.beginRequest();
    expect(await settled(idle, [10, () => idle.stopWaiting(), 0])).toEqual([false, true]);
    expect(await settled(idle, [0])).toEqual([true]);
  });

  it("resolves after ten seconds if a client polls without a pause, and counts that", async () => {
    const idle = new ApiIdleness();
    const polls = setInterval(() => idle.beginRequest()(), 50);
    expect(await settled(idle, [10_000, 300])).toEqual([false, true]);
    clearInterval(polls);
    expect(idle.timeoutCount).toBe(1);
  });
});

describe("lockstep with API clients", () => {
  /**
   * A receiver that answers after `answersMs`, and calls the API `callsMs` later. The calls take effect in the kernel when
   * they come.
   */
  async function play({ answersMs, callsMs }: { answersMs: () => number; callsMs: () => number }): Promise<LoopRig> {
    const idle = new ApiIdleness();
    const server = await serveHttp((request, response) => {
      const number = Number(String(request.headers["x-handset-event"]).split("/")[1]);
      setTimeout(() => {
        response.writeHead(200).end();
        setTimeout(() => {
          const end = idle.beginRequest();
          setTimeout(() => {
            rig.note(`call ${number}`);
            if (number < 100) rig.kernel.in(1000, () => rig.post(number + 100), undefined);
            end();
          }, 5);
        }, callsMs());
      }, answersMs());
    });
    const rig = new LoopRig({ url: server.url, pace: { kind: "lockstep", lookaheadMs: 5000 }, lastsMs: 120_000 });
    rig.waitUntilApiIdle = async () => {
      rig.note("settle");
      await idle.waitUntilIdle(40);
    };
    for (const [index, atMs] of [1000, 3000, 60_000, 64_999].entries()) {
      rig.at(atMs, `event ${index}`, () => rig.post(index));
    }
    rig.at(5999, "before the end of the window");
    await rig.play();
    return rig;
  }

  it("stops the clock after each window until the API is idle, so that no effect depends on the receiver's speed", async () => {
    const slow = await play({ answersMs: () => Math.random() * 20, callsMs: () => Math.random() * 25 });
    const fast = await play({ answersMs: () => 0, callsMs: () => 0 });
    const order = (rig: LoopRig): string[] => rig.happened.map(([what, atMs]) => `${what} @${atMs}`).toSorted();
    expect(order(slow)).toEqual(order(fast));
    const atOf = new Map(slow.happened);
    expect(atOf.get("call 0")).toBe(5999);
    expect(atOf.get("call 1")).toBe(5999);
    expect(atOf.get("answer 0")).toBe(6000);
    expect(atOf.get("answer 1")).toBe(8000);
    expect(atOf.get("call 100")).toBeGreaterThanOrEqual(6999);
    expect(atOf.get("call 100")).toBeLessThan(6999 + 5000);
    // All calls took effect, those of the last window, too.
    expect(slow.happened.filter(([what]) => what.startsWith("call"))).toHaveLength(8);
  });

  it("does not wait for the API in a window without attempts", async () => {
    const rig = new LoopRig({ pace: { kind: "lockstep", lookaheadMs: 5000 }, lastsMs: 60_000 });
    rig.waitUntilApiIdle = async () => rig.note("settle");
    for (let at = 0; at < 60; at++) rig.at(at * 1000, "tick");
    await rig.play();
    expect(rig.happened.map(([what]) => what)).not.toContain("settle");
  });

  it("a run that is stopped does not wait for the API", async () => {
    const idle = new ApiIdleness();
    const server = await serveHttp((_, response) => response.writeHead(200).end());
    const rig = new LoopRig({ url: server.url, pace: { kind: "lockstep", lookaheadMs: 5000 }, lastsMs: 60_000 });
    rig.waitUntilApiIdle = () => idle.waitUntilIdle(3_600_000); // longer than the timeout of the test
    rig.at(0, "event", () => rig.post(0));
    const played = rig.play();
    await sleep(50);
    idle.stopWaiting();
    await rig.stop();
    await played;
  });
});
