import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type MachineSlice, slicePressure } from "../../../src/lab/host/slice-pressure.js";

/** A fifth of a second of two cores, both used by the lab alone. */
function slice(given: Partial<MachineSlice>): MachineSlice {
  const usual = { elapsedMs: 200, cores: 2, runnable: 3, busyMs: 400, stolenMs: 0, ownMs: 390, stalledMs: 0 };
  return { ...usual, ...given };
}

describe("the pressure of other programs", () => {
  it("is low while the lab and its receiver use both cores, whatever their number of threads", () => {
    expect(slicePressure(slice({})).isBusy).toBe(false);
    expect(slicePressure(slice({ runnable: 200 })).isBusy).toBe(false);
    expect(slicePressure(slice({ runnable: 200 })).othersPerCore).toBeLessThan(4);
  });

  it("is low while another program burns a core, or three test runs share the machine", () => {
    expect(slicePressure(slice({ runnable: 4, ownMs: 200 })).isBusy).toBe(false);
    expect(slicePressure(slice({ runnable: 9, ownMs: 130 })).isBusy).toBe(false);
  });

  it("is high during a burst of thirty processes", () => {
    expect(slicePressure(slice({ runnable: 33, ownMs: 30 }))).toMatchObject({ isBusy: true });
    expect(slicePressure(slice({ runnable: 11, ownMs: 30 }))).toMatchObject({ isBusy: true });
  });

  it("is high when the hypervisor takes the cores away, or stops the machine", () => {
    expect(slicePressure(slice({ busyMs: 190, ownMs: 180, stolenMs: 210 })).isBusy).toBe(true);
    expect(slicePressure(slice({ busyMs: 0, ownMs: 0, runnable: 1, stalledMs: 150 })).isBusy).toBe(true);
  });

  it("shows in the process's own stalls where the system counts no tasks", () => {
    const uncounted = { runnable: undefined, busyMs: undefined };
    expect(slicePressure(slice({ ...uncounted, stalledMs: 60 }))).toEqual({ isBusy: true, othersPerCore: null });
    expect(slicePressure(slice({ ...uncounted, stalledMs: 20 })).isBusy).toBe(false);
  });

  it("never rises when more of the work is the run's own", () => {
    const arbitrary = fc.record({
      runnable: fc.integer({ min: 1, max: 300 }),
      busyMs: fc.integer({ min: 0, max: 400 }),
      ownMs: fc.integer({ min: 0, max: 400 }),
      moreMs: fc.integer({ min: 0, max: 400 }),
    });
    fc.assert(
      fc.property(arbitrary, ({ moreMs, ...given }) => {
        const less = slicePressure(slice(given));
        const more = slicePressure(slice({ ...given, ownMs: given.ownMs + moreMs }));
        expect(more.othersPerCore ?? 0).toBeLessThanOrEqual(less.othersPerCore ?? 0);
        if (more.isBusy) expect(less.isBusy).toBe(true);
      }),
    );
  });
});
