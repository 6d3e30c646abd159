import { expect, it } from "vitest";
import { HostPressure } from "../../src/measure/index.js";

function pressure(...atMs: readonly number[]): HostPressure {
  const host = new HostPressure();
  for (const at of atMs) host.recordSecond({ atMs: at, share: 1, othersPerCore: 10 });
  return host;
}

it("joins busy seconds, and leaves out what follows them while queues drain", () => {
  const host = pressure(2000, 3000, 9000);
  expect(host.busySpans()).toEqual([
    { fromMs: 2000, untilMs: 4000 },
    { fromMs: 9000, untilMs: 10_000 },
  ]);
  expect(host.leftOut()).toEqual([
    { fromMs: 1750, untilMs: 5000 },
    { fromMs: 8750, untilMs: 11_000 },
  ]);
});

it("leaves out more after a long busy time, but not without end", () => {
  const seconds = (count: number): number[] => Array.from({ length: count }, (_, second) => 1000 * second);
  expect(pressure(...seconds(6)).leftOut()).toEqual([{ fromMs: -250, untilMs: 9000 }]);
  expect(pressure(...seconds(60)).leftOut()).toEqual([{ fromMs: -250, untilMs: 65_000 }]);
});

it("keeps seconds in which others used the cores, and tells the busy ones", () => {
  const host = new HostPressure();
  expect(host.recordSecond({ atMs: 0, share: 0, othersPerCore: 0.2 })).toBe(false);
  expect(host.recordSecond({ atMs: 1000, share: 0.05, othersPerCore: 2 })).toBe(true);
  expect(host.recordSecond({ atMs: 2000, share: 0.2, othersPerCore: null })).toBe(true);
  expect(host.seconds.map(({ atMs }) => atMs)).toEqual([1000, 2000]);
  expect(host.busySeconds().map(({ atMs }) => atMs)).toEqual([2000]);
});

it("seconds of several parts of a fleet overlap", () => {
  expect(pressure(2000, 2300, 3000, 3300).busySpans()).toEqual([{ fromMs: 2000, untilMs: 4300 }]);
});
