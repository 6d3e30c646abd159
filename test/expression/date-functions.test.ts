import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DateTimeValue } from "../../src/expression/index.js";
import { messageOf, textOf } from "./evaluated.js";

const newYork = { timezone: "America/New_York" };

describe("datetimes", () => {
  it.each([
    ["now()", "2026-05-14T10:20:30.123456+02:00"],
    ["today()", "2026-05-14"],
    ["epoch(now())", "1778746830.123456789"],
    ["datetime_from_epoch(1778746830.123456789)", "2026-05-14T10:20:30.123456+02:00"],
    ['format_datetime(datetime_from_epoch(-0.000000001), "ss.fffffffff")', "59.999999999"],
    ["datetime_from_epoch(99999999999999)", "ERROR"],
    ['datetime_add("31/1/2023", 1, "M")', "2023-03-03T00:00:00.000000+02:00"],
    ['datetime_add("29/2/2024", -1, "Y")', "2023-03-01T00:00:00.000000+02:00"],
    ['datetime_add("1/1/2024 8:00", -2, "W")', "2023-12-18T08:00:00.000000+02:00"],
    ['datetime_add("1/1/2024", -14, "M")', "2022-11-01T00:00:00.000000+02:00"],
    ['datetime_add("2024-01-01T00:00:00.000001Z", 90, "m")', "2024-01-01T01:30:00.000001Z"],
    ['datetime_add("1/1/2024", 90000, "Y")', "ERROR"],
    ['datetime_add("1/1/2024", 1, "d")', "ERROR"],
    ['datetime_diff("31/1/2024", "1/3/2024", "D")', "30"],
    ['datetime_diff("1/3/2024 23:00", "2/3/2024 1:00", "D")', "1"],
    ['datetime_diff("1/3/2024", "20/2/2024", "W")', "-1"],
    ['datetime_diff("31/12/2023", "1/1/2024", "M")', "1"],
    ['datetime_diff("31/12/2023", "1/1/2022", "Y")', "-1"],
    ['datetime_diff("1/1/2024 9:00", "1/1/2024 10:59", "h")', "1"],
    ['datetime_diff("1/1/2024 9:00", "1/1/2024 8:01", "h")', "0"],
    ['datetime_diff("2024-01-01T00:00:00.9Z", "2024-01-01T00:00:02.8Z", "s")', "1"],
    ['replace_time("1/1/2024 9:00", "17:45")', "2024-01-01T17:45:00.000000+02:00"],
    ['replace_time("2024-01-01T09:00:00Z", 6)', "2024-01-01T06:00:00.000000Z"],
    ['tz("1/1/2024") & " " & tz("2024-01-01T00:00:00Z")', "Africa/Kigali UTC"],
    ['tz_offset("1/1/2024") & tz_offset("2024-01-01T00:00:00Z")', "+0200+0000"],
    ["date_from_parts(2023, 2, 30)", "2023-03-02"],
    ["date_from_parts(2024, 1, 0)", "2023-12-31"],
    ["date_from_parts(2024, 13, 1)", "ERROR"],
    ["time_from_parts(7, 5, 9)", "07:05:09.000000"],
    ["time_from_parts(24, 0, 0)", "ERROR"],
    ['weekday("17/5/2026") & weekday("14/5/2026")', "04"],
    ['week_number("1/1/2026") & week_number("4/1/2026") & week_number("31/12/2026")', "1253"],
  ])("%s is %s", (expression, expected) => {
    expect(textOf(expression)).toBe(expected);
  });

  it("keep the wall clock over changes of the clock when days are added", () => {
    const day = '"2024-03-09T12:00:00-05:00"';
    expect(textOf(`datetime_add(${day}, 1, "D")`, newYork)).toBe("2024-03-10T12:00:00.000000-04:00");
    expect(textOf(`datetime_add(${day}, 24, "h")`, newYork)).toBe("2024-03-10T13:00:00.000000-04:00");
  });

  it("are added to and subtracted from alike", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -60_000_000_000, max: 200_000_000_000 }),
        fc.integer({ min: -5_000_000, max: 5_000_000 }),
        fc.constantFrom("s", "m", "h", "D"),
        (epochSeconds, count, unit) => {
          const start = new DateTimeValue(epochSeconds * 1000, 0, "UTC").toString();
          const there = `datetime_add("${start}", ${Math.trunc(count / (unit === "D" ? 10 : 1))}, "${unit}")`;
          fc.pre(textOf(there) !== "ERROR");
          expect(textOf(`datetime_diff("${start}", ${there}, "${unit}")`)).toBe(
            String(Math.trunc(count / (unit === "D" ? 10 : 1)) + 0),
          );
        },
      ),
    );
  });
});

describe("layouts", () => {
  it.each([
    ['format_date("5/3/2024")', "05-03-2024"],
    ['format_date("5/3/2024", "D.M.YY")', "5.3.24"],
    ['format_date("5/3/2024", "EEE, DD MMM YYYY EEEE MMMM")', "Tue, 05 Mar 2024 Tuesday March"],
    ['format_date("5/3/2024", "tt")', "ERROR"],
    ['format_date("5/3/2024", "YYY")', "ERROR"],
    ['format_date("5/3/2024", "YYYY年")', "ERROR"],
    ['format_time("9:05:07.089", "h hh t tt m mm s ss fff ffffff aa AA")', "9 09 9 09 5 05 7 07 089 089000 am AM"],
    ['format_time("0:30", "h:mm aa t")', "12:30 am 0"],
    ['format_time("12:30", "h:mm AA")', "12:30 PM"],
    ['format_time("9:05", "Z")', "ERROR"],
    ['format_datetime("2024-03-05T22:30:00Z")', "06-03-2024 00:30"],
    ['format_datetime("2024-03-05T22:30:00Z", "YYYY-MM-DDTtt:mmZ ZZZ")', "2024-03-06T00:30+02:00 +02:00"],
    ['format_datetime("2024-03-05T22:30:00Z", "tt:mm Z ZZZ", "UTC")', "22:30 Z +00:00"],
    ['format_datetime("2024-03-05T22:30:00Z", "tt:mm_Z", "Asia/Kolkata")', "04:00_+05:30"],
    ['format_datetime("2024-03-05T22:30:00Z", "tt:mm", "Moon/Base")', "ERROR"],
    ['parse_datetime("5.3.2024 9:30", "D.M.YYYY t:mm")', "2024-03-05T09:30:00.000000+02:00"],
    ['parse_datetime("24/12/05", "YY/MM/DD", "UTC")', "2024-12-05T00:00:00.000000Z"],
    [
      'parse_datetime("68-01-01", "YY-MM-DD", "UTC") & parse_datetime("69-01-01", "YY-MM-DD", "UTC")',
      "2068-01-01T00:00:00.000000Z1969-01-01T00:00:00.000000Z",
    ],
    ['parse_datetime("2024-03-05T09:30:15.25-03:00", "YYYY-MM-DDTtt:mm:ssZ")', "2024-03-05T09:30:15.250000-03:00"],
    ['parse_datetime("2024-03-05 09:30 pm", "YYYY-MM-DD hh:mm aa")', "2024-03-05T21:30:00.000000+02:00"],
    ['parse_datetime("2024-03-05 12:30 AM", "YYYY-MM-DD hh:mm AA")', "2024-03-05T00:30:00.000000+02:00"],
    ['parse_datetime("2024-3-5", "YYYY-MM-DD")', "ERROR"],
    ['parse_datetime("2024-02-30", "YYYY-MM-DD")', "ERROR"],
    ['parse_datetime("2024-03-05 x", "YYYY-MM-DD")', "ERROR"],
    ['parse_datetime("Mar 2024", "MMM YYYY")', "ERROR"],
    ['parse_time("7:08:09.5", "t:mm:ss")', "07:08:09.500000"],
    ['parse_time("7:08:09.123", "t:mm:ss.fff")', "07:08:09.123000"],
    ['parse_time("13:00 pm", "h:mm aa")', "ERROR"],
    ['parse_time("25:00", "tt:mm")', "ERROR"],
    ['parse_time("7:08", "YYYY")', "ERROR"],
  ])("%s is %s", (expression, expected) => {
    expect(textOf(expression)).toBe(expected);
  });

  it("say which letters they do not know", () => {
    expect(messageOf('format_date("5/3/2024", "DDDD")')).toBe(
      "error calling format_date(...): 'DDDD' is not valid in a date format",
    );
  });

  it.each([
    ["fra", "mar mardi mar mars AM"],
    ["kin", "Kab Kuwa kabiri Wer Werurwe AM"],
    ["zho", "二 星期二 3月 三月 上午"],
    ["xxx", "Tue Tuesday Mar March AM"],
    ["no such language", "Tue Tuesday Mar March AM"],
  ])("have names in %s", (language, expected) => {
    const expression = 'format_datetime("5/3/2024 9:00", "EEE EEEE MMM MMMM AA")';
    expect(textOf(expression, { allowedLanguages: [language] })).toBe(expected);
    expect(textOf(expression, { language })).toBe(expected);
  });

  it("read back what they write", () => {
    const layout = "YYYY-MM-DDTtt:mm:ss.fffffffffZ";
    fc.assert(
      fc.property(
        // From 1970: offsets before may have seconds, which texts do not have.
        fc.integer({ min: 0, max: 250_000_000_000_000 }),
        fc.integer({ min: 0, max: 999_999 }),
        fc.constantFrom("UTC", "Africa/Kigali", "America/New_York", "Asia/Kathmandu"),
        (epochMs, nanos, zone) => {
          const written = new DateTimeValue(epochMs, nanos, "UTC").toString();
          const text = `format_datetime("${written}", "${layout}", "${zone}")`;
          const readBack = `format_datetime(parse_datetime(${text}, "${layout}", "${zone}"), "${layout}", "${zone}")`;
          expect(textOf(readBack)).toBe(textOf(text));
        },
      ),
    );
  });
});
