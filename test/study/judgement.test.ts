import { describe, expect, it } from "vitest";
import { judge, type JudgedResult, type TrialJudgement } from "../../src/study/judgement.js";

/** A result with a delivery p99, a bound of 500 ms, and lateness of the generator. Milliseconds. */
function resultOf({ p99, late = 0, refused = 0 }: { p99: number; late?: number; refused?: number }): JudgedResult {
  const name = "delivery.p99";
  return {
    attempts: { accepted: 1000, retried: 0, refused, failed: 0, timeout: 0, connection: 0 },
    expectations: [
      {
        text: `${name} < 500ms`,
        held: p99 < 500,
        seen: `${p99}ms`,
        metric: { name, op: "<", value: 500, unit: "duration", seen: p99 },
      },
    ],
    latenessMs: { p50: 0, p95: late / 2, p99: late, max: late },
    lost: 0,
  };
}

describe("the judgement of a trial", () => {
  const judged = (result: JudgedResult, waitMs?: number): string =>
    judge(result, {
      pass: ["delivery.p99 < 500ms"],
      lateMs: 50,
      ...(waitMs !== undefined && { brokenOff: { reason: "broken off", waitMs } }),
    }).verdict;

  it.each([
    ["passes although the generator was late: latency contains that", resultOf({ p99: 450, late: 300 }), "passed"],
    ["is void where the lateness alone can have broken the bound", resultOf({ p99: 600, late: 300 }), "void"],
    ["fails where the bound is broken by more than the lateness", resultOf({ p99: 900, late: 300 }), "failed"],
    ["fails where the lateness is small", resultOf({ p99: 510, late: 40 }), "failed"],
    [
      "fails where the receiver refused, however late it was asked",
      resultOf({ p99: 90, late: 300, refused: 3 }),
      "failed",
    ],
  ])("%s", (_, result, verdict) => {
    expect(judged(result)).toBe(verdict);
  });

  it("attributes a queue longer than the lateness to the receiver", () => {
    expect(judged(resultOf({ p99: 700, late: 300 }), 4000)).toBe("failed");
    expect(judged(resultOf({ p99: 700, late: 6000 }), 4000)).toBe("void");
  });

  it("fails a trial whose queue grew, with the wait a minute later", () => {
    const growth = { grownMs: 191, inAMinuteMs: 2323 };
    const grown = judge(resultOf({ p99: 300 }), { pass: ["delivery.p99 < 500ms"], lateMs: 50, growth });
    expect(grown).toEqual({
      verdict: "failed",
      reasons: ["the queue grew: waits rose by 191 ms, and would be 2.3 s a minute later"],
    });
  });

  it("is void if other programs kept this machine busy, unless it fell behind while the machine was quiet", () => {
    const busy = (result: JudgedResult, quietDeficitMs = 0): TrialJudgement =>
      judge(result, {
        pass: ["delivery.p99 < 500ms"],
        lateMs: 50,
        disturbance: { busySeconds: 4, seconds: 10, quietDeficitMs },
      });
    expect(busy(resultOf({ p99: 450 }))).toEqual({ verdict: "passed", reasons: [] });
    expect(busy(resultOf({ p99: 900 }))).toMatchObject({
      verdict: "void",
      reasons: ["other programs kept this machine busy for 4 of 10 s", "delivery.p99 900 ms, not < 500ms"],
    });
    expect(busy(resultOf({ p99: 90, refused: 3 })).verdict).toBe("void");
    expect(busy(resultOf({ p99: 900 }), 300)).toEqual({
      verdict: "failed",
      reasons: ["delivery.p99 900 ms, not < 500ms", "the receiver fell behind by 300 ms while this machine was quiet"],
    });
    expect(busy({ ...resultOf({ p99: 90 }), lost: 1 }).verdict).toBe("failed");
  });

  it("gives the broken conditions, and the cause of a void trial", () => {
    const options = { pass: ["delivery.p99 < 500ms"], lateMs: 50 };
    expect(judge(resultOf({ p99: 900 }), options).reasons).toEqual(["delivery.p99 900 ms, not < 500ms"]);
    expect(judge(resultOf({ p99: 600, late: 300 }), options).reasons[0]).toBe(
      "the generator was late: 300 ms at the 99th percentile, 300 ms at most",
    );
  });
});
