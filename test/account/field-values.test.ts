import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  fieldTextMax,
  isFieldInput,
  isFieldKey,
  isFieldLabel,
  keyOfLabel,
  parseDateText,
  shownFieldValue,
  storedFieldText,
} from "../../src/account/index.js";
import { fieldTypes, formatTimestampZoned } from "../../src/wire/index.js";
import { context } from "./contact-samples.js";
import { runs } from "../support/effort.js";

it.each([
  ["First dose", "first_dose", true],
  ["  Bed-nets  2 ", "bed_nets_2", true],
  ["AGE", "age", true],
  ["2nd dose", "2nd_dose", false],
  ["Name", "name", false],
  ["Is", "is", false],
  ["Tel E164", "tel_e164", false],
  ["Twitter", "twitter", false],
  ["ext", "ext", false],
  ["Email", "email", false],
  ["---", "", false],
  ["x".repeat(36), "x".repeat(36), true],
  ["x".repeat(37), "x".repeat(37), false],
])("the label '%s' gives the key '%s'", (label, key, isValid) => {
  expect(keyOfLabel(label)).toBe(key);
  expect(isFieldKey(key)).toBe(isValid);
});

it("labels have letters, digits, spaces and hyphens", () => {
  for (const label of ["First dose", "Bed-nets 2", "x".repeat(36)]) expect(isFieldLabel(label)).toBe(true);
  for (const label of ["", "a_b", "Âge", "a.b", "a\nb", "x".repeat(37)]) expect(isFieldLabel(label)).toBe(false);
  expect(isFieldKey("First")).toBe(false);
  expect(isFieldKey("_first")).toBe(false);
});

describe("the API shows", () => {
  it.each([
    ["34", "34"],
    ["2.50", "2.5"],
    [" 007.0 ", "7"],
    ["-0.0", "0"],
    ["-.5", "-0.5"],
    ["+3", "3"],
    ["0.10000000000000000000000000000000001", "0.10000000000000000000000000000000001"],
    ["9".repeat(36), "9".repeat(36)],
    ["9".repeat(37), null],
    ["1e5", null],
    ["1,000", null],
    ["5.", null],
    [".", null],
    ["-", null],
    ["", null],
    ["34 years", null],
    ["٣", null],
  ])("the number '%s' as %s", (raw, shown) => {
    expect(shownFieldValue("numeric", raw, context)).toBe(shown);
  });

  it.each([
    ["state", "mombasa", "Mombasa"],
    ["district", "Kenya > Mombasa > Likoni", "Likoni"],
    ["ward", "MTONGWE", "Mtongwe"],
    ["state", "Likoni", null],
  ] as const)("the %s '%s' as %s", (type, raw, shown) => {
    expect(shownFieldValue(type, raw, context)).toBe(shown);
  });

  it("a text as it is, and what is not set as null", () => {
    expect(shownFieldValue("text", " F ", context)).toBe(" F ");
    for (const type of fieldTypes) expect(shownFieldValue(type, undefined, context)).toBeNull();
  });
});

describe("a date", () => {
  // Nairobi is three hours ahead of UTC.
  it.each([
    ["2018-03-05T07:41:09.120450Z", "2018-03-05T07:41:09.120450Z"],
    ["2018-03-05T07:41:09.120450", "2018-03-05T04:41:09.120450Z"],
    ["2018-03-05T07:41:09+02:00", "2018-03-05T05:41:09.000000Z"],
    ["2018-03-05", "2018-03-04T21:00:00.000000Z"],
    ["20180305T0741Z", "2018-03-05T07:41:00.000000Z"],
    ["2018-03-05 14:30", "2018-03-05T11:30:00.000000Z"],
    ["2018-03-05 at 2pm", "2018-03-05T11:00:00.000000Z"],
    ["05-03-2018 14:30", "2018-03-05T11:30:00.000000Z"],
    ["5/3/18", "2018-03-04T21:00:00.000000Z"],
    ["5.3.2018 14:30:15.25", "2018-03-05T11:30:15.250000Z"],
    ["5 3 2018 1430", "2018-03-05T11:30:00.000000Z"],
    ["5_3_2018 730", "2018-03-05T04:30:00.000000Z"],
    [String.raw`5\3\2018 24:00`, "2018-03-04T21:00:00.000000Z"],
    ["05-03-2018 12:15 a.m.", "2018-03-04T21:15:00.000000Z"],
    ["05-03-2018 12:15 PM", "2018-03-05T09:15:00.000000Z"],
    ["05-03-2018 14:75", "2018-03-04T21:00:00.000000Z"],
    ["on 05-03-2018, around 3", "2018-03-05T00:00:00.000000Z"],
    ["room 99 05-03-2018", "2018-03-04T21:00:00.000000Z"],
    ["05-03-26", "2026-03-04T21:00:00.000000Z"],
    ["2018/03/05", "2018-03-04T21:00:00.000000Z"],
    ["29-02-2020", "2020-02-28T21:00:00.000000Z"],
  ])("%s is %s", (text, expected) => {
    expect(shownFieldValue("datetime", text, context)).toBe(expected);
  });

  it.each([
    "",
    "soon",
    "34",
    "2018",
    "2018-03",
    "20180305",
    "29-02-2019",
    "32-01-2018",
    "05-13-2018",
    "5-3",
    "123-3-2018",
    "5-3-20189",
  ])("'%s' is none", (text) => {
    expect(shownFieldValue("datetime", text, context)).toBeNull();
  });

  it.each([
    ["day_first", "05-03-2018", "2018-03-05"],
    ["day_first", "05-03-26", "2026-03-05"],
    ["day_first", "05-03-27", "1927-03-05"],
    ["month_first", "05-03-2018", "2018-05-03"],
    ["year_first", "18-03-05", "2018-03-05"],
    ["year_first", "2018.3.5", "2018-03-05"],
    ["month_first", "2018-03-05", "2018-03-05"],
  ] as const)("%s: %s is %s", (dateStyle, text, day) => {
    const shown = shownFieldValue("datetime", text, { ...context, dateStyle, timezone: "UTC" });
    expect(shown).toBe(`${day}T00:00:00.000000Z`);
  });

  it("outside the years 0001 to 9999 is none", () => {
    expect(parseDateText("0001-01-01T01:00", context)).toBeUndefined();
    expect(parseDateText("9999-12-31T23:00-05:00", context)).toBeUndefined();
    expect(parseDateText("9999-12-31T23:00", context)).toBeDefined();
  });

  it("that the clocks skip is as much later", () => {
    const newYork = { ...context, timezone: "America/New_York" };
    expect(shownFieldValue("datetime", "2018-03-11 02:30", newYork)).toBe("2018-03-11T07:30:00.000000Z");
  });

  it("is read back from what the API shows", () => {
    fc.assert(
      fc.property(fc.integer({ min: -2_000_000_000_000, max: 4_102_444_800_000 }), (epochMs) => {
        const shown = formatTimestampZoned(epochMs);
        expect(shownFieldValue("datetime", shown, context)).toBe(shown);
      }),
    );
  });
});

it("any text can be shown as any type", () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^[\d\-./: TZ+apm]{0,30}$/));
  fc.assert(
    fc.property(fc.constantFrom(...fieldTypes), text, (type, raw) => {
      const shown = shownFieldValue(type, raw, context);
      if (shown !== null && type !== "text") expect(shownFieldValue(type, shown, context)).toBe(shown);
    }),
    { numRuns: runs(200) },
  );
});

describe("what is stored", () => {
  it.each([
    ["F", "F"],
    [" ", " "],
    [34, "34"],
    [2.5, "2.5"],
    [-0.1, "-0.1"],
    [1e21, "1000000000000000000000"],
    [1e-7, "0.0000001"],
    [true, "True"],
    [false, "False"],
    [null, undefined],
    ["", undefined],
  ])("of %j is %j", (value, text) => {
    expect(isFieldInput(value)).toBe(true);
    expect(storedFieldText(value)).toBe(text);
  });

  it("is cut between characters", () => {
    expect(storedFieldText("💧".repeat(700))).toBe("💧".repeat(fieldTextMax));
  });

  it("is no list and no object", () => {
    for (const value of [[], {}, undefined]) expect(isFieldInput(value)).toBe(false);
  });
});
