import { describe, expect, it } from "vitest";
import { handset } from "./terminal.js";

/** The answers to lines on stdin. */
async function fire(...lines: readonly unknown[]): Promise<unknown[]> {
  const stdin = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
  const { code, stdout, stderr } = await handset(["flow", "fire"], { stdin });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout
    .split("\n")
    .filter(Boolean)
    .map((line): unknown => JSON.parse(line));
}

const line = { base: "2026-05-01T08:20:00+02:00", offset: 1, unit: "days", now: "2026-04-01T00:00:00Z" };

describe("handset flow fire", () => {
  it("answers each line in order, in UTC", async () => {
    const kigali = { ...line, timezone: "Africa/Kigali" };
    expect(
      await fire(
        { ...kigali, delivery_hour: 9 },
        { ...kigali, offset: -1, unit: "weeks", delivery_hour: -1 },
        { ...kigali, now: "2026-06-01" },
        { ...line, unit: "H" },
      ),
    ).toEqual([
      { fire: "2026-05-02T07:00:00Z" },
      { fire: "2026-04-24T06:20:00Z" },
      { fire: null },
      { fire: "2026-05-01T07:20:00Z" },
    ]);
  });

  it("reads dates and times without an offset as local times of the zone", async () => {
    const zone = { timezone: "Asia/Kolkata", offset: 0 };
    expect(
      await fire(
        { ...line, ...zone, base: "2026-05-01" },
        { ...line, ...zone, base: "2026-05-01T10:00:30.5" },
        { ...line, ...zone, base: "2026-05-01 10:00" },
        { ...line, ...zone, base: "2026-05-01T10:00:00Z", now: "2026-05-01T15:30" },
        { ...line, ...zone, base: "2026-05-01T10:00:00Z", now: "2026-05-01T15:30:00.001" },
      ),
    ).toEqual([
      { fire: "2026-04-30T18:30:00Z" },
      { fire: "2026-05-01T04:31:00Z" },
      { fire: "2026-05-01T04:30:00Z" },
      { fire: "2026-05-01T10:00:00Z" },
      { fire: null },
    ]);
  });

  it("has no delivery without a date, and takes the clock for a missing now", async () => {
    const { now: _, ...withoutNow } = line;
    expect(await fire({ ...line, base: null }, { ...line, base: "" }, { ...withoutNow, base: "2001-01-01" })).toEqual([
      { fire: null },
      { fire: null },
      { fire: null },
    ]);
    expect(await fire({ ...withoutNow, base: "2999-01-01" })).toEqual([{ fire: "2999-01-02T00:00:00Z" }]);
  });

  it.each([
    ["no JSON", "{base", /JSON/],
    ["no object", "[1]", /must be an object/],
    ["no base", { ...line, base: undefined }, /'base' is missing/],
    ["a base that is no date", { ...line, base: "tomorrow" }, /'base' must be a date/],
    ["a day that the calendar lacks", { ...line, base: "2026-02-30" }, /'base' must be a date/],
    ["no offset", { ...line, offset: undefined }, /'offset' is missing/],
    ["half an offset", { ...line, offset: 1.5 }, /'offset' must be a whole number, got 1.5/],
    ["an offset beyond the calendar", { ...line, offset: 9_000_000 }, /after the year 9999/],
    ["an unknown unit", { ...line, unit: "months" }, /'unit' must be one of minutes, hours, days, weeks/],
    ["an hour that no day has", { ...line, delivery_hour: 24 }, /'delivery_hour' must be -1 to 23/],
    ["an unknown zone", { ...line, timezone: "Mars/Olympus" }, /'timezone' must be an IANA name/],
    ["a now that is no date", { ...line, now: "soon" }, /'now' must be a date/],
  ])("answers %s with an error, and continues", async (_, wrong, error) => {
    const [first, second] = await fire(wrong, line);
    expect(first).toEqual({ error: expect.stringMatching(error) as unknown });
    expect(second).toEqual({ fire: "2026-05-02T06:20:00Z" });
  });
});
