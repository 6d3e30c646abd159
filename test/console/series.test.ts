import { expect, it } from "vitest";
import { LiveSeries } from "../../src/console/series.js";

/** Points of seconds in which the clock, at 60 times wall time, advances by these virtual seconds. */
function pointsOf(...advances: readonly number[]) {
  const series = new LiveSeries({ read: () => ({ p50Ms: null, p99Ms: null }), close: () => undefined });
  let [wallMs, nowMs, events] = [0, 0, 0];
  const pass = () =>
    series.pass({
      clock: { nowMs, speed: 60, isPaused: false, wallMs },
      counts: { events, accepted: events, failures: 0, inFlight: 0, retrying: 0, alarms: 0 } as Parameters<
        LiveSeries["pass"]
      >[0]["counts"],
      waitingOnPhones: 3,
    });
  pass();
  return advances.map((seconds) => {
    wallMs += 1000;
    nowMs += seconds * 1000;
    events += seconds;
    return pass();
  });
}

it("marks a second in which the clock was stepped or jumped: its counts are no rate", () => {
  const points = pointsOf(60, 7200, 60);
  expect(points.map((point) => [point?.events, point?.isStepped])).toEqual([
    [60, undefined],
    [7200, true],
    [60, undefined],
  ]);
});
