import { describe, expect, it } from "vitest";
import type { Trend } from "../../src/measure/index.js";
import type { Finding } from "../../src/report/index.js";
import { correctReceiver, hostSeconds } from "./busy-machine.js";
import { type Load, measuresUnder, oneWorker, type Receiver } from "./planted.js";
import { randomNumbers } from "../support/random.js";

function trendUnder(load: Load): { trend: Trend | "none" | undefined; findings: Finding[] } {
  const { trend, findings } = measuresUnder({ perSecond: 60, ...load });
  return { trend, findings: findings.filter(({ weight }) => weight === "bad") };
}

/** The growth of a load that must have one, and the kinds of fault that are found. */
function growthUnder(load: Load): Trend & { readonly kinds: readonly string[] } {
  const { trend, findings } = trendUnder(load);
  if (trend === undefined || trend === "none") throw new Error(`the service time grows, but the trend is ${trend}`);
  return { ...trend, kinds: findings.map(({ kind }) => kind) };
}

/** Answers that take a little longer after each request: from 1 to about 121 ms in a minute at 60/s. */
function growing(seed = 1, perRequestMs = 1 / 30): Receiver {
  const random = randomNumbers(seed);
  return (_, nth) => ({ ms: 1 + nth * perRequestMs + 2 * random() });
}

/** A receiver with one worker, and a queue before it that has no bound; the worker is a little too slow. */
function queueing(eachMs: number): Load {
  return { receiver: oneWorker(eachMs), perSecond: 100, connections: 5000 };
}

describe("a service time that grows", () => {
  it("is found, with its slope by time and by requests, and what it is in an hour", () => {
    const { findings } = trendUnder({ receiver: growing() });
    expect(findings).toMatchObject([{ kind: "trend", where: 'report: chart "Delivery time"' }]);
    expect(findings[0]?.text).toMatch(
      /^The service time grows: \d+(\.\d)? ms at the begin, 11\d ms at the end, by 1[12]\d ms a minute or by 33(\.\d)? ms in 1,000 requests; at this rate it is 7\.\d s in an hour \(p < 1e-9\)\. It grows with the requests served, whatever is in flight: as with a list or a table that is searched whole\.$/,
    );
    expect(findings[0]?.severity).toBeGreaterThan(0.9);
    const trend = growthUnder({ receiver: growing() });
    expect(trend.inAnHourMs).toBeCloseTo(trend.endMs + 60 * (trend.perMinuteMs ?? 0), 3);
    expect(trend.chance).toBeLessThan(1e-9);
  });

  it.each<[what: string, load: Load]>([
    ["in proportion", { receiver: growing() }],
    ["by the square of the requests", { receiver: (_, nth) => ({ ms: 2 + 120 * (nth / 3600) ** 2 }) }],
    ["ever less, but on", { receiver: (_, nth) => ({ ms: 5 + 2 * Math.sqrt(nth) }) }],
    ["at a few requests a second", { receiver: growing(1, 1 / 5), perSecond: 5 }],
    ["under a load that changes", { receiver: growing(), shape: (dueMs) => 1 + 0.5 * Math.sin(dueMs / 2000) }],
    ["at --pace max", { receiver: growing(1, 1 / 100), perSecond: 100, model: "closed" }],
  ])("with the requests served: %s", (_, load) => {
    expect(growthUnder(load)).toMatchObject({ cause: "requests", kinds: ["trend"] });
  });

  it("with a queue: the saturation names it, the figures tell its cause", () => {
    expect(growthUnder(queueing(12))).toMatchObject({ cause: "queue", kinds: ["saturation"] });
  });

  it("until the receiver is saturated: both are found, the saturation first", () => {
    let freeAtMs = 0;
    const receiver: Receiver = (writtenMs, nth) => {
      freeAtMs = Math.max(writtenMs, freeAtMs) + 1 + nth / 150;
      return { ms: freeAtMs - writtenMs };
    };
    const { findings } = trendUnder({ receiver });
    expect(findings.map(({ kind }) => kind)).toEqual(["saturation", "trend"]);
    expect(findings[1]?.text).toContain("It grows with the requests served");
  });

  it("beside bursts of work of other programs", () => {
    const bursts = [8000, 30_000, 47_000].map((fromMs) => ({ fromMs, lengthMs: 2000, othersPerCore: 15 }));
    const correct = correctReceiver({ waitsMs: 0, workMs: 1 }, bursts, 1);
    const receiver: Receiver = (writtenMs, nth) => ({ ms: correct(writtenMs, nth).ms + nth / 30 });
    const load = { receiver, host: hostSeconds(bursts, 120_000) };
    expect(growthUnder(load)).toMatchObject({ cause: "requests", kinds: ["trend"] });
  });
});

describe("no trend", () => {
  const random = randomNumbers(3);
  /** A queue's length follows the load. */
  const underLoad = (shape: (dueMs: number) => number): Load => ({ receiver: oneWorker(8), shape });
  const cases: [what: string, load: Load][] = [
    ["of steady answers", { receiver: () => ({ ms: 2 + 20 * random() }) }],
    ["of a long tail", { receiver: () => ({ ms: 5 - 20 * Math.log(1 - random()) }) }],
    ["of a step", { receiver: (writtenMs) => ({ ms: (writtenMs > 30_000 ? 50 : 10) + 10 * random() }) }],
    ["of a warm-up", { receiver: (writtenMs) => ({ ms: 5 + 100 * Math.exp(-writtenMs / 8000) + 3 * random() }) }],
    ["of a cache that is full", { receiver: (ms) => ({ ms: 10 + 40 * (1 - Math.exp(-ms / 8000)) + 3 * random() }) }],
    ["of a load that rises", underLoad((dueMs) => 0.5 + dueMs / 60_000)],
    ["of a load that swings", underLoad((dueMs) => 1 + 0.7 * Math.sin(dueMs / 9500))],
  ];
  it.each(cases)("%s", (_, load) => {
    const { trend, findings } = trendUnder(load);
    expect(trend).toBe("none");
    expect(findings.filter(({ kind }) => kind === "trend")).toEqual([]);
  });

  it("is judged from a few requests, or without two windows of a similar load", () => {
    expect(trendUnder({ receiver: growing(), perSecond: 1 }).trend).toBeUndefined();
    const steps = underLoad((dueMs) => 0.5 + 0.4 * Math.floor(dueMs / 15_000));
    expect(trendUnder(steps).trend).toBeUndefined();
  });

  it("by chance: at most one of 100 receivers whose slow phases follow one another", () => {
    const found = Array.from({ length: 100 }, (_, seed) => {
      const drawn = randomNumbers(seed + 1);
      const normal = (): number => Math.sqrt(-2 * Math.log(1 - drawn())) * Math.cos(2 * Math.PI * drawn());
      let [phase, atMs] = [normal(), 0];
      const receiver: Receiver = (writtenMs) => {
        for (; atMs < writtenMs; atMs += 1000) phase = 0.9 * phase + Math.sqrt(1 - 0.9 ** 2) * normal();
        return { ms: 20 * Math.exp(0.5 * phase) * (0.8 + 0.4 * drawn()) };
      };
      return trendUnder({ receiver, perSecond: 40 }).trend;
    }).filter((trend) => trend !== "none");
    expect(found.length).toBeLessThanOrEqual(1);
  });
});
