import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatTimestamp, formatTimestampMicros, formatTimestampZoned, parseTimestamp } from "../../src/wire/index.js";

const earliest = Date.parse("0000-01-01T00:00:00.000Z");
const latest = Date.parse("9999-12-31T23:59:59.999Z");
const instant = fc.oneof(fc.integer({ min: earliest, max: latest }), fc.constantFrom(earliest, -1, 0, latest));

describe("formatting", () => {
  it("agrees with Date over four-digit years", () => {
    fc.assert(
      fc.property(instant, (epochMs) => {
        const iso = new Date(epochMs).toISOString();
        expect(formatTimestamp(epochMs)).toBe(iso.slice(0, -1));
        expect(formatTimestampMicros(epochMs)).toBe(iso.replace("Z", "000"));
        expect(formatTimestampZoned(epochMs)).toBe(iso.replace("Z", "000Z"));
      }),
    );
  });

  it("truncates to three digits, or rounds to whole microseconds", () => {
    expect(formatTimestamp(1.9999)).toBe("1970-01-01T00:00:00.001");
    expect(formatTimestampMicros(1.9999)).toBe("1970-01-01T00:00:00.002000");
    expect(formatTimestampMicros(-0.5)).toBe("1969-12-31T23:59:59.999500");
  });

  it.each([Number.NaN, Infinity, earliest - 1, latest + 1])("refuses %s", (epochMs) => {
    expect(() => formatTimestamp(epochMs)).toThrow(RangeError);
    expect(() => formatTimestampMicros(epochMs)).toThrow(RangeError);
  });
});

describe("parsing", () => {
  it("is the inverse of formatting", () => {
    fc.assert(
      fc.property(instant, (epochMs) => {
        expect(parseTimestamp(formatTimestamp(epochMs))).toBe(epochMs);
        expect(parseTimestamp(formatTimestampZoned(epochMs))).toBe(epochMs);
      }),
    );
  });

  it("keeps microseconds", () => {
    const until2248 = { min: 0, max: Date.parse("2248-01-01T00:00:00Z") };
    fc.assert(
      fc.property(fc.integer(until2248), fc.integer({ min: 0, max: 999 }), (epochMs, micros) => {
        const text = `${formatTimestamp(epochMs)}${String(micros).padStart(3, "0")}`;
        expect(formatTimestampMicros(parseTimestamp(text) ?? Number.NaN)).toBe(text);
      }),
    );
  });

  it.each([
    ["2026-03-02T08:15:04", "2026-03-02T08:15:04.000Z"],
    ["2026-03-02T08:15:04Z", "2026-03-02T08:15:04.000Z"],
    ["2026-03-02T08:15:04.2", "2026-03-02T08:15:04.200Z"],
    ["2026-03-02T08:15:04.25Z", "2026-03-02T08:15:04.250Z"],
    ["2024-02-29T23:59:59.999", "2024-02-29T23:59:59.999Z"],
    ["2000-02-29T00:00:00.000", "2000-02-29T00:00:00.000Z"],
  ])("reads %s", (text, iso) => {
    expect(parseTimestamp(text)).toBe(Date.parse(iso));
  });

  it.each([
    "",
    "now",
    "2026-03-02",
    "2026-03-02 08:15:04.250",
    "2026-03-02T08:15:04.250+02:00",
    "2026-03-02T08:15:04.",
    "2026-03-02T08:15:04.1234567",
    " 2026-03-02T08:15:04.250",
    "2026-02-29T00:00:00.000",
    "1900-02-29T00:00:00.000",
    "2026-04-31T00:00:00.000",
    "2026-00-01T00:00:00.000",
    "2026-13-01T00:00:00.000",
    "2026-01-00T00:00:00.000",
    "2026-01-01T24:00:00.000",
    "2026-01-01T00:60:00.000",
    "2026-01-01T00:00:60.000",
  ])("refuses '%s'", (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });

  it("accepts exactly the days of the calendar", () => {
    const two = (value: number): string => String(value).padStart(2, "0");
    const [year, month, day] = [fc.integer({ min: 1, max: 9999 }), fc.nat(14), fc.nat(33)];
    fc.assert(
      fc.property(year, month, day, (y, m, d) => {
        const text = `${String(y).padStart(4, "0")}-${two(m)}-${two(d)}T00:00:00.000`;
        const date = new Date(`${text}Z`);
        // Date reads 30 February as 2 March.
        const isReal = !Number.isNaN(date.getTime()) && date.toISOString() === `${text}Z`;
        expect(parseTimestamp(text)).toBe(isReal ? date.getTime() : undefined);
      }),
    );
  });
});
