import fc from "fast-check";
import { DateTime } from "luxon";
import { describe, expect, it } from "vitest";
import { nextFireTime, type Schedule } from "../../src/flow/index.js";

/** The next time in the schedule's zone. */
function nextAfter(now: string, schedule: Partial<Schedule>): string | null {
  const full: Schedule = { repeat: "D", hour: 7, minute: 30, timezone: "Africa/Kigali", ...schedule };
  const fireMs = nextFireTime(full, DateTime.fromISO(now, { zone: full.timezone }).toMillis());
  if (fireMs === undefined) return null;
  return DateTime.fromMillis(fireMs, { zone: full.timezone }).toISO({
    suppressMilliseconds: true,
    suppressSeconds: true,
  });
}

describe("nextFireTime", () => {
  it("is strictly after now", () => {
    expect(nextAfter("2026-05-01T07:29:59.999", {})).toBe("2026-05-01T07:30+02:00");
    expect(nextAfter("2026-05-01T07:30", {})).toBe("2026-05-02T07:30+02:00");
    expect(nextAfter("2026-12-31T12:00", {})).toBe("2027-01-01T07:30+02:00");
  });

  it("takes the day of the zone, not of UTC", () => {
    expect(nextAfter("2026-05-01T23:00:00Z", { hour: 0, minute: 30 })).toBe("2026-05-03T00:30+02:00");
  });

  it.each([
    ["M", "2026-05-04T07:30+02:00"],
    ["T", "2026-05-05T07:30+02:00"],
    ["W", "2026-05-06T07:30+02:00"],
    ["R", "2026-05-07T07:30+02:00"],
    ["F", "2026-05-08T07:30+02:00"],
    ["S", "2026-05-02T07:30+02:00"],
    ["U", "2026-05-03T07:30+02:00"],
    ["WF", "2026-05-06T07:30+02:00"],
    ["MTWRFSU", "2026-05-02T07:30+02:00"],
    ["", null],
  ])("of a week's days %s after Friday, 1 May 2026", (days, expected) => {
    expect(nextAfter("2026-05-01T12:00", { repeat: "W", days })).toBe(expected);
  });

  it.each([
    [31, "2026-01-31T12:00", "2026-02-28T07:30+02:00"],
    [31, "2026-03-31T07:00", "2026-03-31T07:30+02:00"],
    [31, "2026-04-30T07:00", "2026-04-30T07:30+02:00"],
    [30, "2028-01-30T12:00", "2028-02-29T07:30+02:00"],
    [29, "2026-02-28T12:00", "2026-03-29T07:30+02:00"],
    [15, "2026-12-15T12:00", "2027-01-15T07:30+02:00"],
    [1, "2026-01-31T12:00", "2026-02-01T07:30+02:00"],
  ])("of a month's day %i after %s", (dayOfMonth, now, expected) => {
    expect(nextAfter(now, { repeat: "M", dayOfMonth })).toBe(expected);
  });

  it("never comes without a repetition", () => {
    expect(nextAfter("2026-05-01T12:00", { repeat: "O" })).toBeNull();
  });

  it("keeps the wall clock over changes of daylight saving, and fires once in a repeated hour", () => {
    const newYork = { timezone: "America/New_York" };
    expect(nextAfter("2026-03-07T12:00", newYork)).toBe("2026-03-08T07:30-04:00");
    expect(nextAfter("2026-10-31T12:00", newYork)).toBe("2026-11-01T07:30-05:00");
    const night = { ...newYork, hour: 1, minute: 30 };
    expect(nextAfter("2026-10-31T12:00", night)).toBe("2026-11-01T01:30-04:00");
    expect(nextAfter("2026-11-01T01:30-04:00", night)).toBe("2026-11-02T01:30-05:00");
    const skipped = { ...newYork, hour: 2, minute: 30 };
    expect(nextAfter("2026-03-07T12:00", skipped)).toBe("2026-03-08T01:30-05:00");
    expect(nextAfter("2026-03-08T01:30-05:00", skipped)).toBe("2026-03-09T02:30-04:00");
  });

  const zones = fc.constantFrom("UTC", "Africa/Kigali", "America/New_York", "Europe/Berlin", "America/Sao_Paulo");
  const instants = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2037, 0, 1) });
  const repeats = fc.oneof(
    fc.constant({ repeat: "D" as const }),
    fc.record({ repeat: fc.constant("W" as const), days: fc.constantFrom("M", "RU", "TWS", "F") }),
    fc.record({ repeat: fc.constant("M" as const), dayOfMonth: fc.integer({ min: 1, max: 31 }) }),
  );

  it("comes within a month, and no time that it skips would have fired", () => {
    fc.assert(
      fc.property(
        repeats,
        zones,
        instants,
        fc.integer({ min: 0, max: 23 }),
        fc.integer({ min: 0, max: 59 }),
        (repeat, timezone, nowMs, hour, minute) => {
          const schedule: Schedule = { ...repeat, timezone, hour, minute };
          const fireMs = nextFireTime(schedule, nowMs) ?? Number.NaN;
          expect(fireMs).toBeGreaterThan(nowMs);
          expect(fireMs - nowMs).toBeLessThan(33 * 86_400_000);
          // From any instant before it, the same time follows.
          expect(nextFireTime(schedule, nowMs + Math.floor((fireMs - nowMs) / 2))).toBe(fireMs);
          expect(nextFireTime(schedule, fireMs - 1)).toBe(fireMs);
        },
      ),
    );
  });
});
