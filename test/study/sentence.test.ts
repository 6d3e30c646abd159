import { describe, expect, it } from "vitest";
import type { Capacity } from "../../src/study/capacity.js";
import type { ConnectionCeiling } from "../../src/study/connection-limit.js";
import { quantityOf } from "../../src/study/quantity.js";
import { capacitySentence } from "../../src/study/sentence.js";
import type { Trial } from "../../src/study/trial.js";

const shown = (value: number): string => Math.round(value).toLocaleString("en-US");

/** The sentence for trials of a rate per minute with as many attempts due. */
function told(capacity: Capacity, trials: readonly Partial<Trial>[], ceiling?: ConnectionCeiling): string {
  const quantity = quantityOf("30/m", () => undefined);
  if (quantity === undefined) throw new Error("30/m is a rate");
  const units = {
    amount: (value: number) => `${shown(value)} texts/m`,
    number: (value: number) => `${shown(value)}/m`,
    besides: () => undefined,
  };
  const played = trials.map(({ value = 0, ...rest }): Trial => ({
    value,
    verdict: "passed",
    phase: "trial",
    reasons: [],
    seed: 1,
    attemptsPerSecond: value / 60,
    handledPerSecond: null,
    p99Ms: 100,
    latenessP99Ms: 1,
    wallMs: 10_400,
    recording: null,
    ...rest,
  }));
  return capacitySentence(capacity, { units, quantity, trials: played, ...(ceiling && { ceiling }) });
}

const found: Capacity = {
  kind: "knee",
  levels: [],
  holds: 11_600,
  breaks: 12_400,
  knee: { value: 11_934, low: 11_212, high: 12_731, confidence: 0.9 },
  isMonotone: true,
};

describe("the sentence of an answer", () => {
  it("gives the limit also in requests per second, with justified digits, and the length of trials", () => {
    const failed = { value: 12_400, verdict: "failed", reasons: ["delivery.p99 612 ms, not < 500ms"] } as const;
    expect(told(found, [{ value: 11_600 }, failed])).toBe(
      "takes 11,600 texts/m in trials of 10 s; breaks at 12,400 texts/m: delivery.p99 612 ms, not < 500ms. " +
        "The limit is about 12,000/m (200 requests/s), between 11,200/m and 12,800/m (90 % confidence)",
    );
  });

  it("rounds by the nearer end of an asymmetric interval, so the limit is not below a held value", () => {
    const lopsided = { ...found, holds: 11_000, knee: { value: 11_934, low: 10_200, high: 41_300, confidence: 0.9 } };
    expect(told(lopsided, [])).toContain("The limit is about 12,000/m, between 10,000/m and 41,500/m");
  });

  it("gives the load that came due if the phones limit it", () => {
    const capacity = { kind: "at-least", levels: [], holds: 38_400, limitedBy: "load", isMonotone: true } as const;
    const most = told(capacity, [{ value: 38_400, attemptsPerSecond: 535.4 }]);
    expect(most).toBe(
      "takes at least 38,400 texts/m; at a higher rate the phones still report at most 535 requests/s: " +
        "add handsets",
    );
  });

  it("says that our connections are the limit, not the receiver, and which number to try", () => {
    const capacity = { ...found, limitedBy: "connections", collapsesTo: 6000 } as const;
    const ceiling = { connections: 4, serviceMs: 20.8, toTry: 8 };
    const reasons = ["our 4 connections are the limit: all in use, and the receiver no slower"];
    const failed = { value: 12_400, verdict: "failed", reasons } as const;
    expect(told(capacity, [{ value: 11_600 }, failed], ceiling)).toBe(
      "takes 11,600 texts/m in trials of 10 s; breaks at 12,400 texts/m: our 4 connections are the limit, not the " +
        "receiver (it answers in 21 ms, as at low load): try --connections 8. " +
        "Their limit is about 12,000/m (200 requests/s), between 11,200/m and 12,800/m (90 % confidence)",
    );
    const below = { kind: "below", levels: [], breaks: 30, limitedBy: "connections", isMonotone: true } as const;
    expect(told(below, [], { connections: 1, serviceMs: 4000, toTry: 2 })).toBe(
      "cannot take 30 texts/m: our only connection is the limit, not the receiver (it answers in 4,000 ms, as at " +
        "low load): try --connections 2",
    );
  });

  it("says what a receiver that collapses beyond its limit handles then", () => {
    const failed = { value: 12_400, verdict: "failed", reasons: ["delivery.p99 3,207 ms, not < 500ms"] } as const;
    expect(told({ ...found, collapsesTo: 7213 }, [{ value: 11_600 }, failed])).toContain(
      "(90 % confidence). Beyond it the receiver collapses to about 7,200/m (120 requests/s)",
    );
  });

  it("says that other programs kept this machine too busy to judge anything", () => {
    const capacity = { kind: "unknown", levels: [], limitedBy: "time", isMonotone: true } as const;
    expect(told(capacity, [{ value: 30, verdict: "void", busySeconds: 7 }])).toBe(
      "the limit is unknown: other programs kept this machine so busy that no trial could be judged",
    );
  });

  it("says that only short trials ended, also if nothing broke", () => {
    const capacity = {
      kind: "at-least",
      levels: [],
      holds: 300,
      isProvisional: true,
      limitedBy: "stopped",
      isMonotone: true,
    } as const;
    expect(told(capacity, [])).toBe("short trials alone: takes at least 300 texts/m; it was stopped before it broke");
  });
});
