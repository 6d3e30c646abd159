import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type MeasuredAttempt,
  Meter,
  metricNames,
  metricOf,
  PunctualityMeter,
  SpanWindow,
  staysBroken,
} from "../../src/measure/index.js";
import { runs } from "../support/effort.js";

const groups = ["clinic", "school"];

function meter(isPaced = true): Meter {
  return new Meter({ isPaced, groupOf: (channel) => groups[channel % 2] ?? "" });
}

function attempt(of: Partial<MeasuredAttempt> = {}): MeasuredAttempt {
  return {
    try: 1,
    dueAtMs: 0,
    outcome: "accepted",
    status: 200,
    error: null,
    sentWallMs: 0,
    durationMs: 5,
    latencyMs: 8,
    latenessMs: 2,
    bodyBytes: 2,
    ...of,
  };
}

describe("a meter", () => {
  it("sums by type, by group and by both", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            type: fc.constantFrom("mo_sms", "alarm", "mt_sent"),
            channel: fc.integer({ min: 1, max: 200 }),
            latencyMs: fc.integer({ min: 1, max: 2000 }),
          }),
        ),
        (all) => {
          const measured = meter();
          for (const one of all) measured.recordAttempt(attempt({ latencyMs: one.latencyMs }), one, 100);
          for (const tags of [{}, { type: "alarm" }, { group: "clinic" }, { type: "mo_sms", group: "school" }]) {
            const meant = all.filter(
              (one) =>
                (tags.type ?? one.type) === one.type &&
                (tags.group ?? groups[one.channel % 2]) === groups[one.channel % 2],
            );
            const total = measured.total(tags);
            expect(total).toMatchObject({ attempts: meant.length, bytesOut: 100 * meant.length });
            expect(total.delivery.sumMs).toBe(meant.reduce((sum, { latencyMs }) => sum + latencyMs, 0));
            expect(measured.sum(tags, ({ attempts }) => attempts)).toBe(meant.length);
          }
        },
      ),
      { numRuns: runs(25) },
    );
  });

  it("counts a timeout with its waiting time, and no latency without a connection", () => {
    const measured = meter();
    const of = { type: "mo_sms", channel: 1 };
    measured.recordAttempt(
      attempt({ outcome: "timeout", status: null, error: "ETIMEDOUT", latencyMs: 5010, durationMs: 5000 }),
      of,
      10,
    );
    measured.recordAttempt(
      attempt({ outcome: "connection", status: null, error: "ECONNREFUSED", sentWallMs: null, try: 2 }),
      of,
      10,
    );
    const total = measured.total();
    expect([total.delivery.count, total.delivery.maxMs, total.service.maxMs]).toEqual([1, 5010, 5000]);
    expect(total).toMatchObject({ attempts: 2, retries: 1, bytesOut: 10, bytesIn: 4 });
    expect(total.outcomes).toMatchObject({ timeout: 1, connection: 1 });
    expect([...total.errors.keys()]).toEqual(["ETIMEDOUT", "ECONNREFUSED"]);
    expect(total.lateness.count).toBe(2);
  });

  it("without a schedule stores one histogram for service time and latency", () => {
    const measured = meter(false);
    measured.recordAttempt(attempt({ latencyMs: 5, latenessMs: null }), { type: "mo_sms", channel: 1 }, 0);
    const total = measured.total();
    expect(total.service).toBe(total.delivery);
    expect(total.lateness.count).toBe(0);
  });

  it("measures types and groups beyond its maximum together", () => {
    const many = new Meter({ isPaced: false, groupOf: (channel) => `group-${channel}` });
    for (let channel = 1; channel <= 700; channel++) {
      many.recordAttempt(attempt(), { type: `type-${channel % 100}`, channel }, 1);
    }
    expect(many.total().attempts).toBe(700);
    expect(many.total({ group: "others" }).attempts).toBeGreaterThan(0);
    expect(many.groups.length).toBeLessThanOrEqual(256);
    expect(many.types.length).toBeLessThanOrEqual(64);
    expect(many.bytes).toBeLessThan(20_000_000);
  });
});

describe("a window", () => {
  it("drops values older than its length", () => {
    const measured = meter();
    const window = new SpanWindow({ family: "delivery", tags: { type: "mo_sms" }, seconds: 2 });
    measured.addWindow(window);
    const second = (latencyMs: number, type = "mo_sms"): (number | null)[] => {
      measured.recordAttempt(attempt({ latencyMs }), { type, channel: 1 }, 0);
      const { minMs, maxMs } = window.total();
      window.endSecond();
      return [minMs, maxMs];
    };
    expect(second(10)).toEqual([10, 10]);
    expect(second(20)).toEqual([10, 20]);
    expect(second(5)).toEqual([5, 20]);
    expect(second(1000, "alarm")).toEqual([5, 20]);
    expect(second(7)).toEqual([5, 7]);
  });
});

describe("a schedule", () => {
  /** Attempts with this lateness, at these seconds after the start. */
  function schedule(all: readonly (readonly [atS: number, latenessMs: number])[]): PunctualityMeter {
    const made = new PunctualityMeter();
    for (const [atS, latenessMs] of all) {
      made.recordAttempt(
        attempt({ sentWallMs: 500 + 1000 * atS + latenessMs, durationMs: 3, latencyMs: latenessMs + 3, latenessMs }),
      );
    }
    return made;
  }

  it("is kept when at most one in a hundred attempts is late", () => {
    const all = Array.from({ length: 1000 }, (_, index) => [index / 100, index < 10 ? 150 : 1] as const);
    expect(schedule(all).punctuality()).toMatchObject({
      fellBehind: false,
      lateShare: 0.01,
      seconds: 10,
      lateSeconds: 1,
    });
    expect(schedule([...all, [5.5, 101]]).punctuality()).toMatchObject({ fellBehind: true, lateSeconds: 2 });
  });

  it("reports the second with the greatest lateness", () => {
    const { worst, ...rest } = schedule([
      [0, 0],
      [0.5, 90],
      [3.2, 1800],
      [4, 400],
      [900, 0],
    ]).punctuality();
    expect(worst).toEqual({ atS: 3, latenessMs: 1800 });
    expect(rest).toEqual({ fellBehind: true, lateShare: 0.4, seconds: 4, lateSeconds: 2 });
  });

  it("has no attempts in lockstep and max", () => {
    const none = new PunctualityMeter();
    none.recordAttempt(attempt({ latenessMs: null }));
    expect(none.punctuality()).toEqual({ fellBehind: false, lateShare: 0, seconds: 0, lateSeconds: 0, worst: null });
  });
});

describe("metrics", () => {
  it("have the listed names and no others", () => {
    for (const name of metricNames) expect(metricOf(name)?.name).toBe(name);
    for (const name of [
      "delivery.p99.99",
      "service.p1",
      "statuses.404",
      "statuses.5xx",
      "errors.no-answer",
      "events.mo_mms",
    ]) {
      expect(metricOf(name)).toBeDefined();
    }
    for (const name of [
      "",
      "delivery",
      "delivery.p0",
      "delivery.p101",
      "delivery.avg",
      "statuses.50",
      "attempts.lost",
      "x.y",
    ]) {
      expect(metricOf(name), name).toBeUndefined();
    }
  });

  it.each([
    ["timeouts", "<", true],
    ["timeouts", ">", false],
    ["delivery.max", "<", true],
    ["delivery.p100", "<=", true],
    ["delivery.min", ">", true],
    ["delivery.p99", "<", false],
    ["failures", "<", false],
    ["unanswered", "<", false],
    ["lost", "==", false],
    ["attempts.refused", "==", true],
  ])("%s %s stays broken: %s", (name, op, stays) => {
    const metric = metricOf(name);
    expect(metric && staysBroken(metric, op)).toBe(stays);
  });
});
