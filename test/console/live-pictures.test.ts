import fc from "fast-check";
import { expect, it } from "vitest";
import { fleetColumns, type Totals } from "../../src/console/index.js";
import { LivePictures } from "../../src/console/live-pictures.js";
import { LiveSession } from "../../src/console/live-session.js";
import type { FleetArrays, LiveSource } from "../../src/console/live-source.js";

const totals = { events: 0 } as Totals;
const fleetOf = (handsets: number, value: number): FleetArrays =>
  Object.fromEntries(
    fleetColumns.map((column) => [column, new Int32Array(handsets).fill(value)]),
  ) as unknown as FleetArrays;

it("keeps the first sample and at most 480 pictures, in the order of time, however long the lab runs", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 600_000 }), { minLength: 1, maxLength: 2000 }), (steps) => {
      const pictures = new LivePictures(2);
      let atMs = 0;
      for (const step of steps) pictures.pass((atMs += step), fleetOf(2, atMs), totals);
      const times = pictures.all.map((picture) => picture.atMs);
      expect(times[0]).toBe(steps[0]);
      expect(times.length).toBeLessThanOrEqual(480);
      expect(times).toEqual([...times].sort((a, b) => a - b));
      expect(pictures.all.every(({ fleet, atMs: at }) => fleet.battery[1] === at)).toBe(true);
    }),
    { numRuns: 50 },
  );
});

it("keeps pictures at about equal distances: none is more than twice another", () => {
  const pictures = new LivePictures(1);
  const seconds = 16 * 3600;
  for (let second = 0; second <= seconds; second += 30) pictures.pass(second * 1000, fleetOf(1, 0), totals);
  const times = pictures.all.map(({ atMs }) => atMs);
  const distances = times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0));
  expect(Math.max(...distances)).toBeLessThanOrEqual(2 * Math.min(...distances));
  expect(times.length).toBeGreaterThan(200);
});

it("keeps fewer pictures of a large fleet", () => {
  const pictures = new LivePictures(20_000);
  for (let second = 0; second < 100; second++) pictures.pass(second * 1000, fleetOf(20_000, second), totals);
  expect(pictures.all.length).toBeLessThan(40);
  expect(pictures.all[0]?.atMs).toBe(0);
});

/** A lab of two phones that stands still. */
function still(keepsPictures: boolean): LiveSource<never> {
  const nothing = (): undefined => undefined;
  return {
    ready: Promise.resolve(),
    generation: 1,
    facts: () => ({}) as ReturnType<LiveSource<never>["facts"]>,
    groups: () => [],
    handsetCount: 2,
    keepsHistory: true,
    keepsPictures,
    clock: () => ({ nowMs: 0, speed: 1, isPaused: true }),
    counts: () => totals,
    readFleet: nothing,
    measureLatency: () => ({ read: () => ({ p50Ms: null, p99Ms: null }), close: nothing }),
    follow: () => nothing,
    entryOf: nothing,
    trafficOf: nothing,
    story: nothing,
    run: nothing,
  };
}

it("keeps no pictures of a lab whose past is a complete recording", () => {
  const kept = [true, false].map((keepsPictures) => {
    const session = new LiveSession(still(keepsPictures));
    session.next();
    session.close();
    return session.pictures.length;
  });
  expect(kept).toEqual([1, 0]);
});
