import { describe, expect, it } from "vitest";
import { HeldLoad } from "../../src/study/held-load.js";

describe("the load that a receiver has held", () => {
  const held = {
    verdict: "passed",
    phase: "trial",
    attemptsPerSecond: 270,
    handledPerSecond: null,
    latenessP99Ms: 2,
  } as const;
  const collapsed = {
    ...held,
    verdict: "failed",
    attemptsPerSecond: 290,
    handledPerSecond: 180,
    latenessP99Ms: 120,
  } as const;

  function doubtOf(...trials: Parameters<HeldLoad["assess"]>[0][]): string | undefined {
    const load = new HeldLoad({ lateMs: 50 });
    return trials.map((trial) => load.assess(trial)).at(-1);
  }

  it("puts a failed trial in doubt if the receiver collapsed and this machine was late", () => {
    expect(doubtOf(held, collapsed)).toBe(
      "the receiver collapsed, and stalls of this machine can be what overloaded it",
    );
  });

  it("leaves other failures as they are: in time, with the throughput that it holds, or before it held anything", () => {
    expect(doubtOf(held, { ...collapsed, latenessP99Ms: 20 })).toBeUndefined();
    expect(doubtOf(held, { ...collapsed, handledPerSecond: 265 })).toBeUndefined();
    expect(doubtOf(collapsed)).toBeUndefined();
  });
});
