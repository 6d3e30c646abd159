import { describe, expect, it } from "vitest";
import type { Recovery } from "../../src/study/recovery.js";
import { cliff } from "./virtual-receivers.js";
import { virtualRecovery } from "./virtual-recovery.js";

/** A receiver on a virtual clock: 3.3 ms a request, or 5.5 ms for a while after an overload. */
function rig(staysMs: number): {
  readonly recovery: Recovery;
  readonly overload: () => void;
  readonly nowMs: () => number;
} {
  const model = cliff({ perSecond: 300, remains: 0.6, most: 40, recoversAt: 5, staysMs });
  let nowMs = 0;
  const recovery = virtualRecovery(model, { nowMs: () => nowMs, passTime: (ms) => void (nowMs += ms) });
  return {
    recovery,
    overload: () => {
      const answers = Array.from({ length: 60 }, () => model.answerAt(nowMs));
      nowMs = Math.max(...answers);
    },
    nowMs: () => nowMs,
  };
}

describe("the recovery between trials", () => {
  it("waits until a receiver works at its pace again, although single answers are fast", async () => {
    const { recovery, overload, nowMs } = rig(4000);
    await recovery.measureCalm(0);
    expect(await recovery.waitUntilCalm("held")).toBe(true);
    overload();
    const beganMs = nowMs();
    expect(await recovery.waitUntilCalm("overload")).toBe(true);
    expect(nowMs() - beganMs).toBeGreaterThan(3000);
    expect(nowMs() - beganMs).toBeLessThan(5000);
  });

  it("takes a pace that lasts for the new one, and does not wait for it again", async () => {
    const { recovery, overload, nowMs } = rig(600_000);
    await recovery.measureCalm(0);
    await recovery.waitUntilCalm("held");
    overload();
    expect(await recovery.waitUntilCalm("overload")).toBe(false);
    const beganMs = nowMs();
    expect(await recovery.waitUntilCalm("overload")).toBe(true);
    expect(nowMs() - beganMs).toBeLessThan(1000);
  });

  it("rests only shortly after a load that the receiver held", async () => {
    const { recovery, nowMs } = rig(4000);
    await recovery.measureCalm(0);
    const beganMs = nowMs();
    await recovery.waitUntilCalm("held");
    await recovery.waitUntilCalm("small");
    expect(nowMs() - beganMs).toBeLessThan(1200);
  });
});
