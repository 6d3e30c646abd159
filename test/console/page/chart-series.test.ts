import { expect, it } from "vitest";
import { pastSeries, rateUnitOf, spanAt } from "../../../src/console/page/charts/past-series.js";
import { runSeries } from "../../../src/console/page/charts/run-series.js";
import { agoLabel, lineSummary, liveSeries, spanOf } from "../../../src/console/page/charts/series.js";
import { failuresSince } from "../../../src/console/page/charts/late-failures.js";
import { formatWall } from "../../../src/console/page/format/index.js";
import type { PastPoint, SeriesPoint } from "../../../src/console/protocol/index.js";

function pointsOf(count: number): SeriesPoint[] {
  return Array.from({ length: count }, (_, second) => ({
    wallMs: 1000 * second,
    atMs: second,
    events: second,
    accepted: 0,
    failures: 0,
    p50Ms: second === 0 ? null : 5,
    p99Ms: null,
    waitingOnPhones: 0,
  }));
}

it("shows the last ten minutes as columns", () => {
  const series = liveSeries(pointsOf(700));
  const { xs, lines } = series.rates(["events"]);
  expect([xs.length, xs[0], xs.at(-1)]).toEqual([601, -600, 0]);
  expect([lines[0]?.[0], lines[0]?.at(-1)]).toEqual([99, 699]);
  expect(series.values(["p50Ms"]).lines[0]?.slice(0, 2)).toEqual([5, 5]);
  expect(liveSeries([]).rates(["events"])).toEqual({ xs: [], lines: [[]] });
});

it("the axis of a lab that has stopped ends at an instant, not now", () => {
  const { axis } = liveSeries(pointsOf(31), { isStopped: true });
  expect([axis.markLabel(0), axis.label(-30), axis.words]).toEqual([
    formatWall(30_000),
    "−30 s",
    `In the 1 min before ${formatWall(30_000)}, real time`,
  ]);
  expect(liveSeries(pointsOf(31)).axis.markLabel(0)).toBe("now");
});

it("the axis of a run counts from its start, on the clock of its findings", () => {
  const real = runSeries(pointsOf(131), { findingsClock: "real", beginsWallMs: 30_000 });
  expect([real.axis.from, real.axis.to, real.axis.label(85)]).toEqual([0, 100, "0:01:25"]);
  expect(real.axis.marks(300)).toEqual([0, 60]);
  expect(real.rates(["events"]).lines[0]?.[0]).toBe(30);
  const virtual = runSeries(pointsOf(3001), { findingsClock: "virtual", beginsWallMs: null });
  expect([virtual.axis.from, virtual.axis.to, virtual.rateUnit]).toEqual([0, 60, "a second of real time"]);
  // A long run: what is kept of it does not begin at its start.
  const late = runSeries(pointsOf(700).slice(100), { findingsClock: "real", beginsWallMs: 0 });
  expect([late.axis.from, late.axis.to]).toEqual([100, 699]);
});

it("a chart without points says why", () => {
  expect(liveSeries([]).none).toBe("The first second has not passed");
  expect(liveSeries([], { isStopped: true }).none).toBe("No second was measured");
  expect(liveSeries([], { isOpening: true }).none).toBe("The past is being opened");
  expect(liveSeries(pointsOf(1), { isOpening: true }).none).toBeUndefined();
});

it("counts the attempts that failed lately", () => {
  const seconds = [4, 3, 2].map((failures, second) => ({ wallMs: 1000 * second, failures }));
  expect([-1, 0, 2000].map((wallMs) => failuresSince(seconds, wallMs))).toEqual([9, 5, 0]);
});

it("a second in which the clock was stepped has no rate", () => {
  const [first, second] = pointsOf(2).map((point) => ({ ...point, events: 5, waitingOnPhones: 2 }));
  const series = liveSeries([first, { ...second, isStepped: true }] as SeriesPoint[]);
  expect([series.rates(["events"]).lines, series.values(["waitingOnPhones"]).lines]).toEqual([[[5, null]], [[2, 2]]]);
});

it("a young lab's chart shows as much time as there is", () => {
  expect([0, 30, 61, 300, 301, 900].map((seconds) => spanOf([-seconds]))).toEqual([60, 60, 120, 300, 600, 600]);
  expect(spanOf([])).toBe(60);
});

it("says a line in words", () => {
  const format = (value: number): string => `${value} ms`;
  expect(lineSummary([null, 3, 9, 4, null], format)).toBe("last 4 ms, between 3 ms and 9 ms");
  expect(lineSummary([null], format)).toBe("nothing yet");
  expect([0, -30, -120].map((x) => agoLabel(x))).toEqual(["now", "−30 s", "−2 min"]);
});

const frame = { startsAtMs: Date.parse("2026-03-04T06:00:00Z"), timezone: "UTC" };

function spansOf(events: readonly number[]): PastPoint[] {
  return events.map((count, span) => ({
    fromMs: span * 30_000,
    atMs: (span + 1) * 30_000,
    events: count,
    accepted: 0,
    failures: 0,
    p50Ms: null,
    p99Ms: null,
    waitingOnPhones: span,
  }));
}

it("a recording's chart has rates in a readable unit of virtual time, and says of which span they are", () => {
  const points = spansOf([2, 6, 0]);
  const series = pastSeries(points, { untilMs: 90_000, momentMs: 45_000, frame });
  expect(series.rateUnit).toBe("a virtual minute");
  expect(series.rates(["events"])).toEqual({ xs: [15, 45, 75], lines: [[4, 12, 0]] });
  expect(series.values(["waitingOnPhones"]).lines).toEqual([[0, 1, 2]]);
  expect([series.axis.cursor, series.axis.shown, series.axis.label(45)]).toEqual([45, 1, "06:00:30–06:01:00"]);
  // Beyond what has been computed so far no values are shown as the moment's.
  const young = pastSeries(points, { untilMs: 600_000, momentMs: 300_000, frame });
  expect([young.axis.shown, young.none]).toEqual([-1, "The recording is being replayed"]);
  expect(series.none).toBeUndefined();
  expect(series.axis.words).toContain("from Wed 4 Mar, 06:00:00 to Wed 4 Mar, 06:01:30");
  expect(rateUnitOf(spansOf([300])).words).toBe("a virtual second");
  expect(rateUnitOf(spansOf([1])).words).toBe("a virtual minute");
  expect(rateUnitOf(spansOf([20]).map((point) => ({ ...point, atMs: 3_600_000 }))).words).toBe("a virtual hour");
  expect(rateUnitOf([]).words).toBe("a virtual second");
});

it("a moment is in the span that ends at it or after it", () => {
  const points = spansOf([1, 1]);
  expect([0, 30_000, 30_001, 60_000, 60_001].map((atMs) => spanAt(points, atMs)?.fromMs)).toEqual([
    0,
    0,
    30_000,
    30_000,
    undefined,
  ]);
});

it("a chart of several days has the date at each midnight of its zone", () => {
  const kampala = { startsAtMs: Date.parse("2026-03-04T06:00:00Z"), timezone: "Africa/Kampala" };
  const { axis } = pastSeries([], { untilMs: 40 * 3_600_000, momentMs: 0, frame: kampala });
  expect(axis.marks(400).map(axis.markLabel)).toEqual(["12:00", "5 Mar", "12:00", "6 Mar"]);
});

it("a recording's chart has marks at full minutes of its clock", () => {
  const starts = { ...frame, startsAtMs: frame.startsAtMs + 40_000 };
  const { axis } = pastSeries([], { untilMs: 10 * 60_000, momentMs: 0, frame: starts });
  const marks = axis.marks(400);
  expect(marks.length).toBeLessThanOrEqual(5);
  expect(marks.map((x) => (starts.startsAtMs / 1000 + x) % 60)).toEqual(marks.map(() => 0));
});
