import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDate, parseDateTime, parseTime, type Environment } from "../../src/expression/index.js";
import { environment } from "./environment.js";
import { runs } from "../support/effort.js";

/** The text form of the date and time in a text; undefined: it has none. */
function dateTimeIn(text: string, changes: Partial<Environment> = {}, fillTime = false): string | undefined {
  return parseDateTime(environment(changes), text, { fillTime })?.toString();
}

const monthFirst = { dateFormat: "MM-DD-YYYY" } as const;
const yearFirst = { dateFormat: "YYYY-MM-DD" } as const;

describe("a date", () => {
  it.each([
    ["24-12-2019", {}, "2019-12-24"],
    ["born 4/7/1988, in Huye", {}, "1988-07-04"],
    ["4.7.88", {}, "1988-07-04"],
    ["4 7 26", {}, "2026-07-04"],
    ["4 7 27", {}, "1927-07-04"],
    [String.raw`4\7\2026`, {}, "2026-07-04"],
    ["4_7_2026", {}, "2026-07-04"],
    ["7/4/1988", monthFirst, "1988-07-04"],
    ["1988/7/4", yearFirst, "1988-07-04"],
    ["88-7-4", yearFirst, "1988-07-04"],
    ["1988-07-04", {}, "1988-07-04"],
    ["1988-07-04", monthFirst, "1988-07-04"],
    ["  1988-07-04 or so", {}, "1988-07-04"],
  ])("is read from %s %j", (text, changes, expected) => {
    expect(parseDate(environment(changes), text)?.toString()).toBe(expected);
  });

  it.each([
    ["", {}],
    ["tomorrow", {}],
    ["2019", {}],
    ["12/24/2019", {}],
    ["24/12/2019", monthFirst],
    ["30-02-2020", {}],
    ["29-02-2021", {}],
    ["0-1-2020", {}],
    ["1-1-20x", {}],
    ["x1-1-2020", {}],
    ["1-1-202", {}],
    ["on 1988-07-04", {}],
    ["1988-7-4", {}],
    ["1-1,2020", {}],
    ["1988-13-04", {}],
  ])("is not read from %s %j", (text, changes) => {
    expect(parseDate(environment(changes), text)).toBeUndefined();
  });

  it("is the first one that the calendar has", () => {
    expect(parseDate(environment(), "33.1.2020 31.4.2020, 1.5.2020 and 2.5.2020")?.toString()).toBe("2020-05-01");
  });
});

describe("a date with its time", () => {
  it.each([
    ["24-12-2019", "2019-12-24T00:00:00.000000+02:00"],
    ["24-12-2019 7pm", "2019-12-24T19:00:00.000000+02:00"],
    ["at 7:00 on 24-12-2019", "2019-12-24T00:00:00.000000+02:00"],
    ["24-12-2019 at 0730", "2019-12-24T07:30:00.000000+02:00"],
    ["24-12-2019 24:30", "2019-12-25T00:30:00.000000+02:00"],
    ["2019-12-24 07:30:15.25 pm", "2019-12-24T19:30:15.250000+02:00"],
    ["2019-12-24T07:30:15Z", "2019-12-24T07:30:15.000000Z"],
    ["2019-12-24T07:30Z", "2019-12-24T07:30:00.000000Z"],
    ["2019-12-24T07:30:15.123456789-03:30", "2019-12-24T07:30:15.123456-03:30"],
    ["2019-12-24T07:30:15+02:00", "2019-12-24T07:30:15.000000+02:00"],
    [" 2019-12-24T07:30:15+00:00\n", "2019-12-24T07:30:15.000000Z"],
    ["2019-12-24T07:30:15", "2019-12-24T00:00:00.000000+02:00"],
    ["2019-12-24T07:10:09", "2019-12-24T10:09:00.000000+02:00"],
    ["2019-12-24T25:30:15Z", "2019-12-24T00:00:00.000000+02:00"],
  ])("is read from %s", (text, expected) => {
    expect(dateTimeIn(text)).toBe(expected);
  });

  it("takes the present time of day where it is wanted and the text has none", () => {
    expect(dateTimeIn("24-12-2019", {}, true)).toBe("2019-12-24T10:20:30.123456+02:00");
    expect(dateTimeIn("24-12-2019", { timezone: "America/Los_Angeles" }, true)).toBe(
      "2019-12-24T01:20:30.123456-08:00",
    );
    expect(dateTimeIn("24-12-2019 00:00", {}, true)).toBe("2019-12-24T00:00:00.000000+02:00");
    expect(dateTimeIn("2019-12-24T07:30Z", {}, true)).toBe("2019-12-24T07:30:00.000000Z");
  });

  it("keeps the organisation's zone where the text names its offset", () => {
    const zoneOf = (text: string): string | undefined =>
      parseDateTime(environment({ timezone: "Europe/Berlin" }), text, { fillTime: false })?.zone;
    expect(zoneOf("2019-12-24T07:30+01:00")).toBe("Europe/Berlin");
    expect(zoneOf("2019-06-24T07:30+01:00")).toBe("UTC+1");
    expect(zoneOf("24-12-2019")).toBe("Europe/Berlin");
  });

  it.each([
    ["America/New_York", "11-03-2018 2:30", "2018-03-11T01:30:00.000000-05:00"],
    ["America/New_York", "04-11-2018 1:30", "2018-11-04T01:30:00.000000-04:00"],
    ["Europe/Berlin", "25-03-2018 2:30", "2018-03-25T03:30:00.000000+02:00"],
    ["Europe/Berlin", "28-10-2018 2:30", "2018-10-28T02:30:00.000000+01:00"],
  ])("in %s, whose clock changes: %s", (timezone, text, expected) => {
    expect(dateTimeIn(text, { timezone })).toBe(expected);
  });

  it("is read from its own text form", () => {
    const zones = fc.constantFrom("UTC", "Africa/Kigali", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe");
    fc.assert(
      fc.property(zones, fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) }), (timezone, epochMs) => {
        const iso = new Date(epochMs).toISOString();
        const read = parseDateTime(environment({ timezone }), iso, { fillTime: true })?.inZone(timezone);
        expect(read?.epochMs).toBe(epochMs);
        expect(dateTimeIn(read?.toString() ?? "", { timezone })).toBe(read?.toString());
      }),
    );
  });
});

describe("a time of day", () => {
  it.each([
    ["9", "09:00:00.000000"],
    ["at 9 PM", "21:00:00.000000"],
    ["9-pm", "21:00:00.000000"],
    ["12 am", "00:00:00.000000"],
    ["12 pm", "12:00:00.000000"],
    ["13 am", "13:00:00.000000"],
    ["945", "09:45:00.000000"],
    ["0945 ok", "09:45:00.000000"],
    ["9:45", "09:45:00.000000"],
    ["9:45:05.5", "09:45:05.500000"],
    ["9:45:05.0000019", "09:45:05.000001"],
    ["24:00", "00:00:00.000000"],
    ["24:10", "00:10:00.000000"],
    ["9:60", "10:00:00.000000"],
    ["77:10 or 9:45", "09:45:00.000000"],
  ])("is read from %s", (text, expected) => {
    expect(parseTime(text)?.toString()).toBe(expected);
  });

  it.each(["", "noon", "25", "9:61", "9:45:61", "98765", "T9:45x", "9h"])("is not read from %s", (text) => {
    expect(parseTime(text)).toBeUndefined();
  });
});

describe("any text", () => {
  const formats = fc.constantFrom("DD-MM-YYYY", "MM-DD-YYYY", "YYYY-MM-DD");
  const texts = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc
      .array(fc.constantFrom("1", "12", "2019", "31", "-", "/", ".", ":", " ", "T", "Z", "pm", "+02:00"))
      .map((parts) => parts.join("")),
  );

  it("has a date whose text is a date, or none", () => {
    fc.assert(
      fc.property(texts, formats, fc.boolean(), (text, dateFormat, fillTime) => {
        expect(dateTimeIn(text, { dateFormat }, fillTime) ?? "2019-12-24T").toMatch(/^\d{4}-\d\d-\d\dT/);
        expect(parseTime(text)?.toString() ?? "00:00:00.000000").toMatch(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}$/);
      }),
      { numRuns: runs(250) },
    );
  });

  it("is read in time proportional to its length", () => {
    const long = ["1", "1 ", "1-", "1-1-", " ", "2019-12-24 ", "9:", "9:45:05.", "."].map((part) =>
      part.repeat(50_000),
    );
    const started = performance.now();
    for (const text of long) dateTimeIn(`${text}x`, {}, true);
    for (const text of long) parseTime(`${text}x`);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
