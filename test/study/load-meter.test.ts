import { describe, expect, it } from "vitest";
import { LoadMeter } from "../../src/study/load-meter.js";

interface Stretch {
  readonly seconds: number;
  readonly due: number;
  readonly accepted: number;
  readonly refused?: number;
}

/** A trial in stretches of constant rates per second, from 0 ms on. */
function meterOf(...stretches: readonly Stretch[]): LoadMeter {
  const meter = new LoadMeter();
  let [atMs, due, accepted, refused] = [0, 0, 0, 0];
  for (const stretch of stretches) {
    for (let step = 0; step < stretch.seconds * 10; step++) {
      meter.sample({ atMs, answered: accepted + refused, accepted, waiting: due - accepted - refused });
      atMs += 100;
      due += stretch.due / 10;
      accepted += stretch.accepted / 10;
      refused += (stretch.refused ?? 0) / 10;
    }
  }
  return meter;
}

describe("the load of a trial", () => {
  it("shows what a saturated receiver handles, while its queue grows or while it refuses attempts", () => {
    expect(meterOf({ seconds: 3, due: 300, accepted: 200 }).saturation).toEqual({ due: 300, accepted: 200 });
    const shedding = meterOf(
      { seconds: 1, due: 200, accepted: 200 },
      { seconds: 2, due: 400, accepted: 300, refused: 100 },
    );
    expect(shedding.saturation?.due).toBeCloseTo(400);
    expect(shedding.saturation?.accepted).toBeCloseTo(300);
    expect(meterOf({ seconds: 3, due: 300, accepted: 300 }).saturation).toBeUndefined();
  });

  it("shows the same without the time in which other programs disturbed the receiver", () => {
    const disturbed = [{ fromMs: 2000, untilMs: 4000 }];
    const overloaded = meterOf(
      { seconds: 2, due: 300, accepted: 250 },
      { seconds: 2, due: 300, accepted: 50 },
      { seconds: 2, due: 300, accepted: 250 },
    );
    expect(overloaded.saturationOutside(disturbed)?.accepted).toBeCloseTo(250);
    expect(overloaded.saturation?.accepted).toBeLessThan(200);
    // 50 of 300 a second are not accepted, for 4 s: at 250 a second they are 0.8 s of work.
    expect(overloaded.deficitMsOutside(disturbed) / 1000).toBeCloseTo(0.8, 1);
  });

  it("shows no deficit of a receiver that works off what a disturbance has left, or within chance", () => {
    const disturbed = [{ fromMs: 2000, untilMs: 4000 }];
    const healthy = meterOf(
      { seconds: 2, due: 200, accepted: 200 },
      { seconds: 2, due: 200, accepted: 50 },
      { seconds: 3, due: 200, accepted: 250 },
    );
    expect(healthy.deficitMsOutside(disturbed)).toBe(0);
    expect(meterOf({ seconds: 3, due: 300, accepted: 290 }).deficitMsOutside([])).toBe(0);
  });
});
