import fc from "fast-check";
import { DateTime } from "luxon";
import { describe, expect, it } from "vitest";
import { campaignFireTime, type CampaignSchedule } from "../../src/flow/index.js";

const longAgo = "1990-01-01T00:00:00Z";

/** The event's time in its zone, with the zone's offset; null: no delivery. */
function fires(base: string, schedule: Partial<CampaignSchedule>, now = longAgo): string | null {
  const full: CampaignSchedule = { offset: 0, unit: "days", deliveryHour: -1, timezone: "Africa/Kigali", ...schedule };
  const fireMs = campaignFireTime(full, DateTime.fromISO(base, { zone: full.timezone }).toMillis(), Date.parse(now));
  if (fireMs === undefined) return null;
  return DateTime.fromMillis(fireMs, { zone: full.timezone }).toISO({ suppressMilliseconds: true });
}

const newYork = { timezone: "America/New_York" };
const berlin = { timezone: "Europe/Berlin" };

describe("campaignFireTime", () => {
  it.each([
    ["2026-05-01T08:20:00+02:00", { offset: 3, unit: "minutes" }, "2026-05-01T08:23:00+02:00"],
    ["2026-05-01T08:20:00+02:00", { offset: -5, unit: "hours" }, "2026-05-01T03:20:00+02:00"],
    ["2026-05-01T08:20:00+02:00", { offset: -1, unit: "days" }, "2026-04-30T08:20:00+02:00"],
    ["2026-05-01T08:20:00+02:00", { offset: 2, unit: "weeks" }, "2026-05-15T08:20:00+02:00"],
    ["2026-05-01T08:20:00+02:00", {}, "2026-05-01T08:20:00+02:00"],
  ] as const)("adds the offset: %s %j", (base, schedule, expected) => {
    expect(fires(base, schedule)).toBe(expected);
  });

  it.each([
    ["2026-05-01T23:30:00Z", { offset: 1, deliveryHour: 9 }, "2026-05-03T09:00:00+02:00"],
    ["2026-05-01T21:30:00Z", { offset: 1, deliveryHour: 0 }, "2026-05-02T00:00:00+02:00"],
    ["2026-05-01T10:59:00+02:00", { offset: -1, unit: "weeks", deliveryHour: 23 }, "2026-04-24T23:00:00+02:00"],
    ["2026-05-01T23:00:00+02:00", { offset: 2, unit: "hours", deliveryHour: 6 }, "2026-05-02T06:00:00+02:00"],
  ] as const)("takes the calendar day of the zone before it sets the hour: %s %j", (base, schedule, expected) => {
    expect(fires(base, schedule)).toBe(expected);
  });

  it("rounds the date up to a full minute", () => {
    expect(fires("2026-05-01T08:20:00.000+02:00", {})).toBe("2026-05-01T08:20:00+02:00");
    expect(fires("2026-05-01T08:20:00.001+02:00", {})).toBe("2026-05-01T08:21:00+02:00");
    expect(fires("2026-05-01T08:59:59+02:00", { offset: 1, unit: "minutes" })).toBe("2026-05-01T09:01:00+02:00");
    expect(fires("2026-05-01T23:59:30+02:00", { deliveryHour: 7 })).toBe("2026-05-02T07:00:00+02:00");
    expect(fires("1900-01-01T12:00:30", berlin, "1800-01-01T00:00:00Z")).toMatch(/^1900-01-01T12:01:00/);
  });

  it("has no delivery in the past, but one that is due now", () => {
    const now = "2026-05-01T06:20:00Z";
    expect(fires("2026-05-01T08:20:00+02:00", {}, now)).toBe("2026-05-01T08:20:00+02:00");
    expect(fires("2026-05-01T08:19:00+02:00", {}, now)).toBeNull();
    expect(fires("2026-05-01T08:19:30+02:00", {}, now)).toBe("2026-05-01T08:20:00+02:00");
    expect(fires("2026-05-08T08:20:00+02:00", { offset: -1, unit: "weeks", deliveryHour: 8 }, now)).toBeNull();
  });

  it("keeps the wall clock over a change of daylight saving for days, and the elapsed time for hours", () => {
    expect(fires("2026-03-07T18:00:00", { ...newYork, offset: 1 })).toBe("2026-03-08T18:00:00-04:00");
    expect(fires("2026-03-07T18:00:00", { ...newYork, offset: 24, unit: "hours" })).toBe("2026-03-08T19:00:00-04:00");
    expect(fires("2026-10-31T18:00:00", { ...newYork, offset: 1, unit: "weeks" })).toBe("2026-11-07T18:00:00-05:00");
    expect(fires("2026-10-31T18:00:00", { ...newYork, offset: 24, unit: "hours" })).toBe("2026-11-01T17:00:00-05:00");
    expect(fires("2026-10-26T08:00:00", { ...berlin, offset: -2, deliveryHour: 6 })).toBe("2026-10-24T06:00:00+02:00");
  });

  it("resolves local times that the clock skips or repeats as the service does", () => {
    expect(fires("2026-03-07T02:30:00", { ...newYork, offset: 1 })).toBe("2026-03-08T01:30:00-05:00");
    expect(fires("2026-03-28T02:30:00", { ...berlin, offset: 1 })).toBe("2026-03-29T03:30:00+02:00");
    expect(fires("2026-10-31T01:30:00", { ...newYork, offset: 1 })).toBe("2026-11-01T01:30:00-04:00");
    expect(fires("2026-10-24T02:30:00", { ...berlin, offset: 1 })).toBe("2026-10-25T02:30:00+01:00");
    expect(fires("2026-03-29T12:00:00", { ...berlin, deliveryHour: 2 })).toBe("2026-03-29T03:00:00+02:00");
  });

  it("keeps a date inside the repeated hour where it is when there is nothing to add", () => {
    for (const base of ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"]) {
      expect(Date.parse(fires(base, berlin) ?? "")).toBe(Date.parse(base));
    }
  });

  it("rejects an unknown zone", () => {
    expect(() => fires("2026-05-01T08:20:00Z", { timezone: "Mars/Olympus" })).toThrow(RangeError);
  });

  const zones = fc.constantFrom("UTC", "Africa/Kigali", "America/New_York", "Europe/London", "Australia/Lord_Howe");
  const instants = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2037, 0, 1) });
  const offsets = fc.integer({ min: -500, max: 500 });

  it("is a full minute, at the wanted hour or at the time of day of the date unless the clock skips it", () => {
    fc.assert(
      fc.property(
        zones,
        instants,
        offsets,
        fc.integer({ min: -1, max: 23 }),
        (timezone, baseMs, offset, deliveryHour) => {
          const fireMs = campaignFireTime({ offset, unit: "days", deliveryHour, timezone }, baseMs, -Infinity) ?? 0;
          const fire = DateTime.fromMillis(fireMs, { zone: timezone });
          const start = DateTime.fromMillis(Math.ceil(baseMs / 60_000) * 60_000, { zone: timezone });
          expect(fireMs % 60_000).toBe(0);
          const wanted = deliveryHour < 0 ? start.hour * 60 + start.minute : deliveryHour * 60;
          const day = start.startOf("day").plus({ days: offset });
          const isSkipped =
            day.set({ hour: Math.floor(wanted / 60), minute: wanted % 60 }).hour !== Math.floor(wanted / 60);
          if (!isSkipped && timezone !== "Australia/Lord_Howe") expect(fire.hour * 60 + fire.minute).toBe(wanted);
          expect(Math.abs(fire.startOf("day").diff(day.startOf("day"), "hours").hours)).toBeLessThan(2);
        },
      ),
    );
  });

  it("is later for a later offset", () => {
    fc.assert(
      fc.property(
        zones,
        instants,
        offsets,
        fc.constantFrom("minutes", "hours", "days", "weeks"),
        (timezone, baseMs, offset, unit) => {
          const at = (more: number): number =>
            campaignFireTime({ offset: offset + more, unit, deliveryHour: -1, timezone }, baseMs, -Infinity) ?? 0;
          expect(at(1)).toBeGreaterThan(at(0));
        },
      ),
    );
  });
});
