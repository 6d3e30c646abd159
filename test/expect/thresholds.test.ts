import { describe, expect, it } from "vitest";
import { Thresholds } from "../../src/expect/thresholds.js";
import { type ExpectationResult, HostPressure, Meter } from "../../src/measure/index.js";
import { parse } from "../end-to-end/support.js";

/** Seconds of a run: attempts accepted and refused in each, and their latency. */
type Second = readonly [accepted: number, refused: number, latencyMs: number];

interface Played {
  readonly results: readonly ExpectationResult[];
  /** The second at the end of which the run was stopped, from 1. */
  readonly stoppedAt: number | undefined;
}

/** What bounds see besides the attempts. */
interface Conditions {
  readonly trend?: number | null;
  readonly reordered?: number;
  /** Seconds in which other programs kept the machine busy. */
  readonly busy?: readonly number[];
}

/** Judges a run of these seconds by bounds. */
function play(
  bounds: readonly string[],
  seconds: readonly Second[],
  { trend = null, reordered = 0, busy = [] }: Conditions = {},
): Played {
  const { expect: expectations } = parse(
    `lasts: 1h\nhandsets: { clinic: { phone: "+250788000001" } }\nexpect:\n${bounds.map((one) => `  - ${one}\n`).join("")}`,
  );
  const meter = new Meter({ isPaced: true, groupOf: () => "clinic" });
  const replies = { valid: 0, ignored: 0 };
  const host = new HostPressure();
  for (const second of busy) host.recordSecond({ atMs: 5000 + 1000 * second, share: 1, othersPerCore: 15 });
  const thresholds = new Thresholds({
    expectations,
    meter,
    counts: () => ({ events: new Map(), replies, unanswered: 0, doubles: 0, reordered }),
    host,
  });
  let wallMs = 5000;
  let stoppedAt: number | undefined;
  thresholds.start(wallMs);
  for (const [index, [accepted, refused, latencyMs]] of seconds.entries()) {
    for (let count = 0; count < accepted + refused; count++) {
      const isAccepted = count < accepted;
      meter.recordEvent("mo_sms", 1);
      meter.recordAttempt(
        {
          try: 1,
          outcome: isAccepted ? "accepted" : "refused",
          status: isAccepted ? 200 : 404,
          error: null,
          sentWallMs: wallMs,
          durationMs: latencyMs,
          latencyMs,
          dueAtMs: 0,
          latenessMs: 0,
          bodyBytes: 0,
        },
        { type: "mo_sms", channel: 1 },
        100,
      );
    }
    for (let look = 0; look < 10; look++) {
      wallMs += 100;
      if (thresholds.checkBounds(wallMs) !== undefined) stoppedAt ??= index + 1;
    }
    if (stoppedAt !== undefined) break;
  }
  thresholds.stopCounting(wallMs);
  const ends = {
    "ledger.gap": 0,
    queued: 0,
    ledger: { texts: { lost: {} }, calls: { lost: {} } },
    trend,
    wallMs: wallMs - 5000,
  };
  return { results: thresholds.results(ends, wallMs), stoppedAt };
}

const steady: Second = [10, 0, 5];

describe("thresholds", () => {
  it("remember the worst window and when it ended", () => {
    const { results, stoppedAt } = play(
      [
        "delivery.max < 100ms over 2s",
        "failures < 50% over 2s",
        "accepted.rate > 8/s over 2s",
        "attempts <= 20 over 2s",
      ],
      [steady, steady, [4, 6, 80], [10, 0, 300], steady, [5, 0, 5], steady],
    );
    expect(stoppedAt).toBeUndefined();
    expect(results.map(({ held, metric }) => [held, metric?.seen, metric?.atMs])).toEqual([
      [false, 300, 4000],
      [true, 0.3, 3000],
      [false, 7, 3000],
      [true, 20, 2000],
    ]);
  });

  it("stop the run at the window that breaks the bound, or as soon as a count is beyond it", () => {
    const going: Second[] = [steady, steady, steady, [0, 10, 5], steady, steady];
    expect(play(["failures < 60% over 2s abort", "failures < 50% over 2s abort"], going).stoppedAt).toBe(4);
    expect(play(["failures < 50% over 2s"], going).stoppedAt).toBeUndefined();
    expect(play(["statuses.404 < 10 abort"], going).stoppedAt).toBe(4);
    expect(play(["attempts == 30 abort"], going).stoppedAt).toBe(4);
    expect(play(["attempts == 60 abort"], going).stoppedAt).toBeUndefined();
    expect(play(["service.min > 6ms abort"], going).stoppedAt).toBe(1);
  });

  it("ignore the grace, and windows that are not full", () => {
    const going: Second[] = [[0, 10, 900], [0, 10, 900], steady, steady, steady];
    const { results, stoppedAt } = play(
      [
        "failures == 0% over 2s from 2s abort",
        "delivery.p99 < 10ms from 2s",
        "statuses.404 == 0 from 2s",
        "failures == 0%",
      ],
      going,
    );
    expect(stoppedAt).toBeUndefined();
    expect(results.map(({ held }) => held)).toEqual([true, true, true, false]);
    expect(
      play(
        ["failures < 99% over 3s abort"],
        [
          [0, 10, 5],
          [0, 10, 5],
          [1, 0, 5],
        ],
      ).stoppedAt,
    ).toBeUndefined();
  });

  it("judge a run shorter than its window as a whole, and say if nothing was measured", () => {
    const { results } = play(
      [
        "accepted.rate >= 10/s over 1m",
        "delivery.max < 1s over 1m",
        "roundtrip.p50 < 1s over 1m",
        "failures < 1% over 1m from 30s",
      ],
      [steady, steady],
    );
    expect(results.map(({ held, seen }) => [held, seen])).toEqual([
      [true, "10/s in the 2s up to 2s"],
      [true, "5ms in the 2s up to 2s"],
      [false, "nothing was measured"],
      [false, "nothing was measured"],
    ]);
  });

  it("print the value with the precision of its measurement, and never as the bound that it breaks", () => {
    const bounds = ["delivery.max < 500ms", "delivery.max <= 2795ms", "failures < 1%"];
    const { results } = play(bounds, [[200, 7, 2795.0193]]);
    expect(results.map(({ seen }) => seen)).toEqual(["2795ms", "2795.019ms", "3.382%"]);
  });

  it("judge the growth of the service time, and events out of order", () => {
    const bounds = ["trend < 20ms", "reordered == 0"];
    expect(play(bounds, [steady], { trend: 120, reordered: 2 }).results).toMatchObject([
      { held: false, seen: "120ms" },
      { held: false, seen: "2" },
    ]);
    expect(play(bounds, [steady], { trend: 0 }).results.map(({ held }) => held)).toEqual([true, true]);
    expect(play(["trend < 20ms"], [steady]).results).toMatchObject([{ held: false, seen: "nothing was measured" }]);
    expect(play(["reordered < 2 abort"], [steady], { reordered: 2 }).stoppedAt).toBe(1);
  });

  it("say of a broken bound what is left of it without the seconds in which the machine was busy", () => {
    const slow: Second = [10, 0, 900];
    const going: Second[] = [steady, steady, slow, slow, steady, steady, steady];
    const bounds = ["service.p99 < 100ms", "service.max < 100ms over 2s", "failures == 0", "service.p50 < 100ms"];
    const clear = (seconds: readonly Second[], busy: readonly number[]): unknown[] =>
      play(bounds, seconds, { busy }).results.map(({ held, metric }) => (held ? "held" : metric?.clear));
    expect(clear(going, [2, 3])).toMatchObject([
      { seen: expect.closeTo(5, 0) as number, held: true },
      { seen: null, held: true },
      "held",
      "held",
    ]);
    // Slow in a quiet second, too.
    expect(clear([...going, slow, steady, steady], [2, 3])).toMatchObject([
      { seen: expect.closeTo(900, -1) as number, held: false },
      { seen: null, held: false },
      "held",
      "held",
    ]);
    expect(clear(going, [])).toEqual([undefined, undefined, "held", "held"]);
  });
});
