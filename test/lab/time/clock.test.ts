import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LiveClock } from "../../../src/lab/time/clock.js";
import { LabError } from "../../../src/index.js";
import { Kernel } from "../../../src/sim/index.js";
import { scripted } from "../../delivery/rig.js";
import { serveHttp } from "../../support/server.js";
import { LoopRig } from "../loop-rig.js";

const second = 1_000;
const minute = 60_000;
const hour = 3_600_000;

type Change = { do: "wait"; ms: number } | { do: "pause" } | { do: "resume" } | { do: "speed"; speed: number };

const speeds = fc.oneof(fc.double({ min: 0.01, max: 10_000, noNaN: true }), fc.constantFrom(1, 2, 60, 10_000));
const leads = fc.constantFrom(0, 20);
const changes: fc.Arbitrary<Change[]> = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.double({ min: 0, max: 5000, noNaN: true }) }),
    },
    fc.constant<Change>({ do: "pause" }),
    fc.constant<Change>({ do: "resume" }),
    fc.record({ do: fc.constant("speed" as const), speed: speeds }),
  ),
  { maxLength: 40 },
);

/** A clock with a wall time that the test sets, and the expected virtual time in plain arithmetic. */
class Model {
  wallMs = 1_000_000;
  readonly kernel: Kernel;
  readonly clock: LiveClock;
  atMs: number;
  readonly #moments: { wallMs: number; atMs: number }[];
  #speed = 1;
  #isPaused = false;

  constructor(fromMs: number, { playAheadMs = 0 }: { readonly playAheadMs?: number } = {}) {
    this.kernel = new Kernel(fromMs);
    this.clock = new LiveClock({ kernel: this.kernel, wall: () => this.wallMs, speed: 1, playAheadMs });
    this.atMs = fromMs;
    this.clock.start();
    this.#moments = [{ wallMs: this.wallMs, atMs: fromMs }];
  }

  apply(change: Change): void {
    if (change.do === "wait") {
      this.wallMs += change.ms;
      if (!this.#isPaused) this.atMs += change.ms * this.#speed;
    } else if (change.do === "pause") {
      this.clock.pause();
      this.#isPaused = true;
    } else if (change.do === "resume") {
      this.clock.resume();
      this.#isPaused = false;
    } else {
      this.clock.setSpeed(change.speed);
      this.#speed = change.speed;
    }
    this.#moments.push({ wallMs: this.wallMs, atMs: this.atMs });
  }

  /** The first wall time at which the clock shows an instant. */
  firstWallAt(atMs: number): number {
    const index = this.#moments.findIndex((moment) => moment.atMs >= atMs);
    const [before, after] = [this.#moments[index - 1], this.#moments[index]];
    if (after === undefined) throw new Error(`${atMs} has not come`);
    if (before === undefined) return after.wallMs;
    const share = (atMs - before.atMs) / (after.atMs - before.atMs);
    return before.wallMs + share * (after.wallMs - before.wallMs);
  }
}

describe("the mapping of wall and virtual time", () => {
  it("is the sum of speed times wall time, never goes back, and no change is a jump", () => {
    fc.assert(
      fc.property(changes, fc.integer({ min: 0, max: 10 * 365 * 24 * hour }), (all, fromMs) => {
        const model = new Model(fromMs);
        let lastMs = model.clock.nowMs;
        expect(lastMs).toBe(fromMs);
        for (const change of all) {
          model.apply(change);
          const { nowMs } = model.clock;
          expect(nowMs).toBeGreaterThanOrEqual(lastMs);
          if (change.do !== "wait") expect(nowMs).toBe(lastMs);
          expect(Math.abs(nowMs - model.atMs)).toBeLessThan(1.01);
          lastMs = nowMs;
        }
      }),
    );
  });

  it("waitMs is the wall time until an instant: after it the clock shows the instant, before it does not", () => {
    fc.assert(
      fc.property(changes, fc.integer({ min: 1, max: 1_000_000 }), (all, offMs) => {
        const model = new Model(0);
        for (const change of all) model.apply(change);
        const atMs = model.clock.nowMs + offMs;
        const waitMs = model.clock.waitMs(atMs);
        if (model.clock.status.isPaused) {
          expect(waitMs).toBe(Infinity);
          return;
        }
        model.wallMs += waitMs * 0.99;
        expect(model.clock.nowMs).toBeLessThan(atMs);
        model.wallMs += waitMs * 0.01 + 1e-6;
        expect(model.clock.nowMs).toBeGreaterThanOrEqual(atMs - 1);
        expect(model.clock.waitMs(model.clock.nowMs)).toBeLessThanOrEqual(0);
      }),
    );
  });

  it("dueWallMs is the intended wall time of each timer, however late it fires and whatever changed since", () => {
    const looks = fc.array(fc.record({ change: fc.array(changes, { maxLength: 2 }), fires: fc.boolean() }), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(
        looks,
        fc.array(fc.integer({ min: 0, max: 200_000 }), { maxLength: 20 }),
        leads,
        (all, timers, playAheadMs) => {
          const model = new Model(0, { playAheadMs });
          const due: [atMs: number, wallMs: number][] = [];
          for (const atMs of timers) {
            model.kernel.at(
              atMs,
              () => due.push([model.kernel.now, model.clock.dueWallMs(model.kernel.now)]),
              undefined,
            );
          }
          for (const { change, fires } of all) {
            for (const one of change.flat()) model.apply(one);
            if (fires) model.kernel.run(model.clock.nowMs + 1, Infinity);
          }
          for (const [atMs, wallMs] of due) {
            if (atMs > model.atMs) continue; // came by rounding
            expect(Math.abs(wallMs - playAheadMs - model.firstWallAt(atMs))).toBeLessThan(0.01);
          }
        },
      ),
    );
  });

  it("refuses invalid speeds, and accepts the bounds", () => {
    const { clock } = new Model(0);
    for (const speed of [0, -1, NaN, Infinity, 10_000.1]) expect(() => clock.setSpeed(speed)).toThrow(LabError);
    for (const speed of [0.001, 10_000]) {
      clock.setSpeed(speed);
      expect(clock.status).toEqual({ nowMs: 0, isPaused: false, speed });
    }
  });
});

describe("a clock that plays ahead", () => {
  /** What happens at each instant, with its due wall time. */
  function watched(model: Model): { at: (atMs: number, then?: () => void) => void; due: [number, number][] } {
    const due: [atMs: number, wallMs: number][] = [];
    const note = (): unknown => due.push([model.kernel.now, model.clock.dueWallMs(model.kernel.now)]);
    return { at: (atMs, then) => model.kernel.at(atMs, () => (note(), then?.()), undefined), due };
  }

  it("scheduled events are due `playAheadMs` later, inputs from outside at once, whatever else waits", () => {
    const model = new Model(0, { playAheadMs: 20 });
    const { at, due } = watched(model);
    const from = model.wallMs;
    for (const atMs of [100, 100, 101, 150]) at(atMs);
    const outside: [atMs: number, wallMs: number][] = [];
    const enter = (then?: () => void): void =>
      model.clock.applyInput(() => {
        outside.push([model.kernel.now, model.clock.dueWallMs(model.kernel.now)]);
        then?.();
      });
    model.wallMs = from + 100.5;
    // Two timers are due at this instant and have not fired yet.
    enter(() => at(100));
    model.kernel.run(101, Infinity);
    expect(outside).toEqual([[100, from + 100.5]]);
    expect(due.splice(0)).toEqual([
      [100, from + 120],
      [100, from + 120],
      [100, from + 120],
    ]);
    model.wallMs = from + 130;
    model.kernel.run(131, Infinity);
    expect(due.splice(0)).toEqual([[101, from + 121]]);
    // No timer is due: what happens at this instant is an effect of the input, too.
    enter(() => at(130));
    expect(model.clock.hasEffectNow).toBe(true);
    model.wallMs = from + 133;
    model.kernel.run(134, Infinity);
    expect(outside.at(-1)).toEqual([130, from + 130]);
    expect(due.splice(0)).toEqual([[130, from + 130]]);
    expect(model.clock.hasEffectNow).toBe(false);
  });

  it("keeps due times from before a pause, and plays ahead again after it", () => {
    const model = new Model(0, { playAheadMs: 20 });
    const { at, due } = watched(model);
    const from = model.wallMs;
    for (const atMs of [100, 110]) at(atMs);
    model.wallMs = from + 100;
    model.kernel.run(model.clock.nowMs + 1, Infinity);
    model.clock.pause();
    model.wallMs += hour;
    model.clock.applyInput(() => due.push([model.kernel.now, model.clock.dueWallMs(model.kernel.now)]));
    model.clock.resume();
    model.wallMs += 10;
    model.kernel.run(model.clock.nowMs + 1, Infinity);
    expect(due).toEqual([
      [100, from + 120],
      [100, from + 100 + hour],
      [110, from + 110 + hour + 20],
    ]);
  });

  it("is overdue when its events are, not before", () => {
    const model = new Model(0, { playAheadMs: 20 });
    expect(model.clock.overdueMs).toBe(0);
    model.kernel.at(100, () => undefined, undefined);
    for (const [ms, behindMs] of [
      [100, 0],
      [19, 0],
      [11, 10],
    ] as const) {
      model.wallMs += ms;
      expect(model.clock.overdueMs).toBe(behindMs);
    }
  });

  it("waits until a wall time", async () => {
    const kernel = new Kernel();
    const clock = new LiveClock({ kernel, wall: () => performance.now(), speed: 1, playAheadMs: 20 });
    await clock.waitUntil(performance.now() - 1);
    const wallMs = performance.now() + 15.5;
    await clock.waitUntil(wallMs);
    expect(performance.now()).toBeGreaterThanOrEqual(wallMs);
  });
});

describe("an input from outside", () => {
  it("is due when it comes, also after an hour of pause", async () => {
    const server = await scripted(() => ({ answer: 200 }));
    let wallMs = 0;
    const rig = new LoopRig({ url: server.url, wall: () => wallMs });
    rig.clock.start();
    wallMs = 10.5;
    rig.clock.pause();
    wallMs += hour;
    rig.clock.applyInput(() => rig.post(1));
    expect(rig.kernel.now).toBe(10);
    wallMs += 7;
    await rig.delivery.progress();
    expect(rig.measured.lateness.percentiles().max).toBe(0);
    expect(rig.measured.delivery.percentiles().max).toBeCloseTo(7, 1);
  });

  it("does not hide that the kernel is overdue", async () => {
    const server = await scripted(() => ({ answer: 200 }));
    let wallMs = 0;
    const rig = new LoopRig({ url: server.url, wall: () => wallMs });
    rig.clock.start();
    rig.at(100, "timer", () => rig.post(1));
    wallMs = 400;
    rig.clock.applyInput(() => rig.note("request"));
    rig.kernel.run(rig.clock.nowMs + 1, Infinity);
    expect(rig.happened).toEqual([
      ["request", 100],
      ["timer", 100],
    ]);
    await rig.delivery.progress();
    expect(rig.measured.lateness.percentiles().max).toBeCloseTo(300, 0);
  });
});

describe("the paced loop", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
  afterEach(() => void vi.useRealTimers());
  const pass = async (ms: number): Promise<void> => {
    await vi.advanceTimersByTimeAsync(ms);
    await nextTurn(); // the loop does not sleep for less than a millisecond
  };

  it("fires what is due, at its speed, and ends with the world", async () => {
    const rig = new LoopRig({ pace: { kind: "paced", speed: 60 }, lastsMs: 10 * minute });
    rig.at(minute, "one");
    rig.at(10 * minute, "ten");
    rig.at(11 * minute, "after the end");
    let hasEnded = false;
    const played = rig.play().then(() => (hasEnded = true));
    await pass(999);
    expect(rig.happened).toEqual([]);
    await pass(2);
    expect(rig.happened).toEqual([["one", minute]]);
    await pass(8990);
    expect(hasEnded).toBe(false);
    await pass(100);
    await played;
    expect(rig.happened).toEqual([
      ["one", minute],
      ["ten", 10 * minute],
    ]);
    expect(rig.clock.nowMs).toBe(10 * minute);
  });

  it("plays ahead in batches of a few milliseconds, and its events leave when they are due", async () => {
    const arrived: [event: number, wallMs: number][] = [];
    const server = await serveHttp((request, response) => {
      arrived.push([Number(/\d+$/.exec(String(request.headers["x-handset-event"]))?.[0]), performance.now()]);
      response.setHeader("connection", "close").end();
    });
    const turns = new Set<number>();
    const rig = new LoopRig({
      url: server.url,
      playAheadMs: 20,
      accepted: ({ posting: { number } }) => {
        // Effects of an answer at its instant leave at once, without waiting for the next batch.
        if (number === 100) rig.at(rig.kernel.now, "follows", () => rig.post(1000));
      },
    });
    for (let atMs = 1; atMs <= 100; atMs++) {
      rig.at(atMs, "event", () => {
        turns.add(performance.now());
        rig.post(atMs);
      });
    }
    const startedAt = performance.now();
    void rig.play();
    const answers = (): number => rig.measured.delivery.count;
    for (let ms = 0; ms < 125; ms++) await pass(1);
    while (answers() < 101) await pass(0);
    expect(turns.size).toBeLessThanOrEqual(21);
    expect(
      arrived
        .filter(([event]) => event < 1000)
        .map(([event]) => event)
        .toSorted((a, b) => a - b),
    ).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    for (const [event, wallMs] of arrived) {
      if (event < 1000) expect(wallMs - startedAt).toBeGreaterThanOrEqual(event + 20);
    }
    // Wall time advanced by whole milliseconds, exactly to each due time.
    expect(rig.measured.lateness.percentiles().max).toBe(0);
  });

  it("without an end sleeps while nothing is due, and wakes for inputs from outside", async () => {
    const rig = new LoopRig({ fromMs: 5 * hour });
    void rig.play();
    await pass(second);
    const { dispatchCount } = rig;
    await pass(24 * hour);
    expect(rig.dispatchCount - dispatchCount).toBe(0);
    rig.clock.applyInput(() => {
      rig.note("request");
      rig.at(rig.kernel.now, "at once");
      rig.at(rig.kernel.now + second, "a second later");
    });
    const atMs = 29 * hour + second;
    await pass(0);
    expect(rig.happened).toEqual([
      ["request", atMs],
      ["at once", atMs],
    ]);
    await pass(second);
    expect(rig.happened.at(-1)).toEqual(["a second later", atMs + second]);
  });

  it("fires nothing while it is paused, and continues from there", async () => {
    const rig = new LoopRig({ pace: { kind: "paced", speed: 10 } });
    for (const at of [1, 2, 3]) rig.at(at * second, `${at}`);
    void rig.play();
    await pass(150);
    rig.clock.pause();
    expect(rig.clock.status).toEqual({ nowMs: 1500, isPaused: true, speed: 10 });
    await pass(hour);
    expect(rig.happened).toEqual([["1", second]]);
    expect(rig.clock.status.nowMs).toBe(1500);
    rig.clock.resume();
    await pass(49);
    expect(rig.happened).toHaveLength(1);
    await pass(2);
    expect(rig.happened).toHaveLength(2);
    rig.clock.setSpeed(1000);
    await pass(2);
    expect(rig.happened).toHaveLength(3);
  });

  it("applies an input at once while it is paused", async () => {
    const rig = new LoopRig({ isPaused: true, fromMs: 100 });
    void rig.play();
    await pass(minute);
    rig.clock.applyInput(() => rig.at(rig.kernel.now, "hand"));
    await pass(0);
    expect(rig.happened).toEqual([["hand", 100]]);
  });

  it("steps a paused clock by exactly the given span, as fast as the kernel can", async () => {
    const rig = new LoopRig({ isPaused: true });
    for (let at = 0; at <= 20; at++) rig.at(at * minute, `${at}`);
    void rig.play();
    await pass(0);
    expect(await rig.clock.step(10 * minute)).toBe(10 * minute);
    expect(rig.happened).toHaveLength(11);
    expect(rig.kernel.now).toBe(10 * minute);
    expect(rig.clock.status).toEqual({ nowMs: 10 * minute, isPaused: true, speed: 1 });
    await pass(hour);
    expect(rig.happened).toHaveLength(11);
    expect(await Promise.all([rig.clock.step(30 * second), rig.clock.step(minute), rig.clock.step(0)])).toEqual([
      630 * second,
      690 * second,
      690 * second,
    ]);
    expect(rig.happened.at(-1)).toEqual(["11", 11 * minute]);
    rig.clock.resume();
    await pass(30 * second);
    expect(rig.happened.at(-1)).toEqual(["12", 12 * minute]);
  });

  it("steps ten years", async () => {
    const year = 365 * 24 * hour;
    const rig = new LoopRig({ isPaused: true, fromMs: 10 * year });
    rig.at(19 * year + 1, "late");
    void rig.play();
    await pass(0);
    expect(await rig.clock.step(10 * year)).toBe(20 * year);
    expect(rig.happened).toEqual([["late", 19 * year + 1]]);
  });

  it("ends a step when the clock is resumed, the run stops, or the world ends", async () => {
    const rig = new LoopRig({ isPaused: true, lastsMs: hour });
    const step = async (): Promise<number> => rig.clock.step(10 * minute);
    rig.at(minute, "resumed", () => rig.clock.resume());
    void rig.play();
    await pass(0);
    expect(await step()).toBe(minute);
    rig.clock.pause();
    expect(rig.clock.nowMs).toBe(minute);
    const ended = rig.clock.step(24 * hour);
    expect(await ended).toBe(hour);
    const other = new LoopRig({ isPaused: true });
    other.at(minute, "stopped", () => void other.stop());
    void other.play();
    await pass(0);
    expect(await other.clock.step(10 * minute)).toBe(minute);
    expect(await other.clock.step(minute)).toBe(minute); // it is over
  });

  it("steps only a paused clock, and only forward", async () => {
    const rig = new LoopRig();
    void rig.play();
    await expect(rig.clock.step(1)).rejects.toThrow("the clock runs: only a paused one can be stepped");
    rig.clock.pause();
    for (const ms of [-1, 0.5, NaN, 3651 * 24 * hour]) await expect(rig.clock.step(ms)).rejects.toThrow(LabError);
  });
});

describe("a step and the receiver", () => {
  it("effects of answers happen within the step, and the last answers are in effect at its end", async () => {
    const server = await scripted(() => ({ answer: 200, delayMs: 20 }));
    const rig = new LoopRig({
      url: server.url,
      isPaused: true,
      accepted: ({ posting: { number } }) => {
        if (number === 1) rig.at(rig.kernel.now + minute, "reply", () => rig.post(2));
      },
    });
    rig.at(minute, "event", () => rig.post(1));
    rig.at(10 * minute, "last", () => rig.post(3));
    void rig.play();
    await rig.clock.step(10 * minute);
    expect(rig.happened.map(([what]) => what)).toEqual(["event", "answer 1", "reply", "answer 2", "last", "answer 3"]);
    const atOf = new Map(rig.happened);
    expect((atOf.get("answer 1") ?? 0) - minute).toBeLessThanOrEqual(5 * second);
    expect(atOf.get("answer 3")).toBe(10 * minute);
    // Events of a step are due when they happen: another due time would be minutes away.
    expect(rig.measured.lateness.percentiles().max).toBeLessThan(30 * second);
  });

  it("a receiver that never answers does not hold it up", async () => {
    const server = await scripted(() => ({ answer: "hang" }));
    // Longer than the timeout of the test.
    const rig = new LoopRig({ url: server.url, isPaused: true, timeoutMs: 3_600_000 });
    for (let at = 1; at <= 60; at++) rig.at(at * minute, "event", () => rig.post(at));
    void rig.play();
    expect(await rig.clock.step(hour)).toBe(hour);
    expect(rig.happened).toHaveLength(60);
  });

  it("many short ones, as a jump makes, let the event loop turn between them", async () => {
    const rig = new LoopRig({ url: "http://127.0.0.1:9/", isPaused: true });
    void rig.play();
    let hasTurned = false;
    setImmediate(() => (hasTurned = true));
    for (let steps = 0; steps < 500_000 && !hasTurned; steps++) await rig.clock.step(1);
    expect(hasTurned).toBe(true);
  });
});
