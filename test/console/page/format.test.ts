import fc from "fast-check";
import { expect, it } from "vitest";
import {
  formatBytes,
  formatCounted,
  formatDistance,
  formatDuration,
  formatElapsed,
  formatInstant,
  formatPercent,
  formatRate,
  formatShort,
  formatWall,
  parseInstant,
  showWithin,
} from "../../../src/console/page/format/index.js";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

it("writes spans in their two largest units", () => {
  const spans = [0, 0.42, 7.25, 350, 999, 2430, 9960, 59_400, 61_000, 20 * MINUTE, HOUR + 5 * MINUTE, DAY + 3 * HOUR];
  expect(spans.map(formatDuration)).toEqual([
    "0 ms",
    "0.4 ms",
    "7.3 ms",
    "350 ms",
    "999 ms",
    "2.4 s",
    "10 s",
    "59 s",
    "1 min 1 s",
    "20 min",
    "1 h 5 min",
    "1 d 3 h",
  ]);
  expect([59_600, HOUR - 300, DAY - SECOND].map(formatDuration)).toEqual(["1 min", "1 h", "1 d"]);
  expect(formatDuration(-2 * MINUTE)).toBe("-2 min");
});

it("writes distances and elapsed time", () => {
  expect([-5 * MINUTE, 20_400, 300].map(formatDistance)).toEqual(["5 min ago", "in 20 s", "now"]);
  expect([0, 26 * HOUR + 5 * MINUTE + 9 * SECOND].map(formatElapsed)).toEqual(["0:00:00", "26:05:09"]);
});

it("writes instants in the lab's time zone", () => {
  const frame = { startsAtMs: Date.UTC(2025, 2, 3, 22, 30), timezone: "Africa/Kampala" };
  expect(formatInstant(90_417, frame)).toBe("01:31:30");
  expect(formatInstant(90_417, frame, "minute")).toBe("01:31");
  expect(formatInstant(90_417, frame, "millis")).toBe("01:31:30.417");
  expect(formatInstant(90_417, frame, "day")).toBe("Tue 4 Mar 2025");
  expect(formatInstant(90_417, frame, "date")).toBe("4 Mar");
  expect([HOUR, 24 * HOUR].map((untilMs) => showWithin(0, untilMs, frame))).toEqual(["time", "date-time"]);
  expect(formatInstant(90_417, frame, "date-time")).toBe("4 Mar, 01:31:30");
  expect(formatInstant(90_417, frame, "moment")).toBe("Tue 4 Mar, 01:31:30");
  expect(formatInstant(90_417, frame, "full")).toBe("Tue 4 Mar 2025, 01:31:30");
  expect(formatWall(Date.UTC(2025, 2, 3, 0, 0), "time", "Nowhere/Unknown")).toBe("00:00:00");
});

it("reads instants as it writes them, in the lab's time zone", () => {
  const frame = { startsAtMs: Date.UTC(2025, 2, 3, 22, 30), timezone: "Africa/Kampala" };
  const read = (text: string, atMs = 0): string | undefined => {
    const ms = parseInstant(text, frame, atMs);
    return ms === undefined ? undefined : formatWall(ms, "sortable", frame.timezone);
  };
  expect(read("02:15", HOUR)).toBe("2025-03-04 02:15:00");
  // The last time that was, also yesterday's; before there was any, the first day's.
  expect(read("2:15:09", 26 * HOUR)).toBe("2025-03-05 02:15:09");
  expect(read("23:00", 26 * HOUR)).toBe("2025-03-04 23:00:00");
  expect(read("23:00", HOUR)).toBe("2025-03-04 23:00:00");
  expect(read("2025-03-09 07:05:01")).toBe("2025-03-09 07:05:01");
  expect(read("2025-03-09T07:05:01Z")).toBe("2025-03-09 10:05:01");
  expect(["", "24:00", "10:60", "tomorrow", "10:30Z", "2025-13-01 10:00"].map((text) => read(text))).toEqual(
    Array.from({ length: 6 }, () => undefined),
  );
});

it("reads what it has written, on both sides of a change of clocks", () => {
  for (const timezone of ["Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Apia"]) {
    const frame = { startsAtMs: Date.UTC(2025, 2, 1), timezone };
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 * 24 * 60 }), (minutes) => {
        const written = formatWall(frame.startsAtMs + minutes * MINUTE, "sortable", timezone);
        const ms = parseInstant(written, frame, 0) ?? Number.NaN;
        // In the hour that comes twice, either is right.
        expect(formatWall(ms, "sortable", timezone)).toBe(written);
      }),
    );
  }
});

it("writes numbers", () => {
  expect([0, 9999, 12_345, 1_200_000].map(formatShort)).toEqual(["0", "9,999", "12.3K", "1.2M"]);
  expect([0, 0.04, 0.42, 12.4, 1204].map(formatRate)).toEqual(["0", "< 0.1", "0.4", "12", "1,204"]);
  expect([0, 0.0004, 0.125, 0.9996, 1].map(formatPercent)).toEqual(["0%", "< 0.1%", "12.5%", "> 99.9%", "100%"]);
  expect([512, 3400, 12_000_000, 250_000].map(formatBytes)).toEqual(["512 B", "3.4 kB", "12 MB", "250 kB"]);
  expect([formatCounted(1, "phone"), formatCounted(1200, "reply", "replies")]).toEqual(["1 phone", "1,200 replies"]);
});
