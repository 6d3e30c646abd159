import fc from "fast-check";
import { expect, it } from "vitest";
import { PressureSeconds } from "../../../src/lab/host/pressure-seconds.js";
import type { HostSecond } from "../../../src/measure/index.js";

it("a slice that spans several seconds counts in each of them", () => {
  const seconds: HostSecond[] = [];
  const log = new PressureSeconds(500, (second) => void seconds.push(second));
  log.add(500, 1300, { isBusy: false, othersPerCore: 0 });
  log.add(1300, 3600, { isBusy: true, othersPerCore: 10 });
  log.end();
  expect(seconds.map(({ atMs, share }) => [atMs, Number(share.toFixed(3))])).toEqual([
    [500, 0.2],
    [1500, 1],
    [2500, 1],
    [3500, 0.1],
  ]);
  expect(seconds[0]?.othersPerCore).toBeCloseTo(2);
  expect(seconds[1]?.othersPerCore).toBeCloseTo(10);
});

it("the busy time of the seconds is that of the slices", () => {
  const slices = fc.array(fc.record({ ms: fc.integer({ min: 1, max: 4000 }), isBusy: fc.boolean() }), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(slices, (drawn) => {
      const seconds: HostSecond[] = [];
      const log = new PressureSeconds(0, (second) => void seconds.push(second));
      let atMs = 0;
      for (const { ms, isBusy } of drawn) log.add(atMs, (atMs += ms), { isBusy, othersPerCore: null });
      log.end();
      const busyMs = drawn.reduce((sum, { ms, isBusy }) => sum + (isBusy ? ms : 0), 0);
      expect(seconds.reduce((sum, { share }) => sum + 1000 * share, 0)).toBeCloseTo(busyMs, 3);
      for (const { share } of seconds) expect(share).toBeLessThanOrEqual(1);
      const begins = seconds.map((second) => second.atMs);
      expect(begins).toEqual(begins.toSorted((a, b) => a - b));
    }),
  );
});
