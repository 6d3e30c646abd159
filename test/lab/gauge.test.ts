import { describe, expect, it } from "vitest";
import { Gauge, joinedReading } from "../../src/lab/gauge.js";
import type { MeasuredAttempt } from "../../src/measure/index.js";

/** An attempt with a latency and a lateness. Milliseconds. */
function attempt(latencyMs: number, latenessMs = 0): MeasuredAttempt {
  return {
    dueAtMs: 0,
    try: 1,
    outcome: "accepted",
    status: 200,
    error: null,
    sentWallMs: 0,
    durationMs: latencyMs,
    latencyMs,
    latenessMs,
    bodyBytes: 0,
  };
}

describe("the gauge of a paced run", () => {
  it("reads due and answered rates, and waiting attempts, of the last ten seconds", () => {
    const gauge = new Gauge();
    // 480 a second are due, 200 are answered.
    for (let second = 0; second <= 30; second++) {
      gauge.read({ nowMs: second * 1000, answered: 200 * second, waiting: 280 * second, waitingForConnection: 0 });
    }
    const reading = gauge.read({ nowMs: 31_000, answered: 6200, waiting: 8680, waitingForConnection: 8630 });
    expect(reading).toMatchObject({ due: 480, answered: 200, waitingForConnection: 8630 });
  });

  it("forgets earlier seconds", () => {
    const gauge = new Gauge();
    for (let at = 0; at < 5000; at += 10) gauge.attempted(attempt(900, 80), at);
    for (let at = 5000; at < 30_000; at += 10) gauge.attempted(attempt(20), at);
    const { p50Ms, p99Ms, latenessP99Ms } = gauge.read({
      nowMs: 30_000,
      answered: 3000,
      waiting: 0,
      waitingForConnection: 0,
    });
    expect(p50Ms).toBeCloseTo(20, 0);
    expect(p99Ms).toBeCloseTo(20, 0);
    expect(latenessP99Ms).toBe(0);
  });

  it("adds up the rates of several processes and shows the worst part's percentiles", () => {
    const reading = { due: 100, answered: 90, p50Ms: 3, p99Ms: 20, latenessP99Ms: 0, waitingForConnection: 4 };
    const slow = { due: 50, answered: 10, p50Ms: 900, p99Ms: 2000, latenessP99Ms: 7, waitingForConnection: 400 };
    const silent = { due: 5, answered: 0, p50Ms: null, p99Ms: null, latenessP99Ms: null, waitingForConnection: 0 };
    expect(joinedReading([reading, slow, silent])).toEqual({
      due: 155,
      answered: 100,
      p50Ms: 900,
      p99Ms: 2000,
      latenessP99Ms: 7,
      waitingForConnection: 404,
    });
    expect(joinedReading([silent])).toEqual(silent);
  });
});
