import { nearest } from "../../sheet/nearest.js";
import { describeValue, isList, type Read, type ReportProblem } from "../../sheet/raw-value.js";
import { readDuration } from "./duration.js";
import { scalar } from "./scalar.js";

/** The days of the week, in the order of `Date.getUTCDay`. */
const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;

/** The pattern of a day of the week, `monday` or `mon`, for the JSON Schema; without anchors. */
export const weekdaySpelling: string = `(${weekdays
  .map((day) => `[${day.charAt(0)}${day.charAt(0).toUpperCase()}]${day.slice(1, 3)}(${day.slice(3)})?`)
  .join("|")})`;

const weekdayForm = new RegExp(`^${weekdaySpelling}$`);
const dayMs = 86_400_000;

/** When a step recurs: at a distance in milliseconds, or on days of the week, 0 (Sunday) to 6. */
export type Recurrence =
  { readonly everyMs: number } | { readonly weekdays: ReadonlySet<number>; readonly text: string };

/** The day of the week of a local time, 0 (Sunday) to 6. @param localMs - milliseconds since 1970, as if in UTC */
export function weekdayAt(localMs: number): number {
  return (Math.floor(localMs / dayMs) + 4) % 7; // 1970-01-01 was a Thursday
}

/** The number of a day of the week, 0 (Sunday) to 6; undefined: it is none. */
export function weekdayNumber(text: string): number | undefined {
  if (!weekdayForm.test(text)) return undefined;
  return weekdays.findIndex((day) => day.startsWith(text.toLowerCase()));
}

/** The nearest day of the week; undefined: none is close. */
export function nearestWeekday(text: string): string | undefined {
  const close = nearest(text, weekdays);
  if (close !== undefined) return close;
  // `MON`, `thurs`
  const start = text.toLowerCase();
  return start.length < 3 ? undefined : weekdays.find((day) => day.startsWith(start));
}

const wanted = "a duration such as 1d, or days of the week such as monday or monday..friday";
const wantedDay = "a day of the week such as monday, or a range such as monday..friday";
const phrases = new Map([
  ["day", "1d"],
  ["daily", "1d"],
  ["hour", "1h"],
  ["hourly", "1h"],
  ["week", "7d"],
  ["weekly", "7d"],
  ["weekday", "monday..friday"],
  ["weekdays", "monday..friday"],
  ["weekend", "[saturday, sunday]"],
  ["weekends", "[saturday, sunday]"],
]);

/** A duration, or days of the week: `1d`, `monday`, `monday..friday`, `[mon, wed, fri]`. */
export function readRecurrence(): Read<Recurrence> {
  const duration = readDuration({ minMs: 1 });
  const one = scalar(wanted, (text, report): Recurrence | undefined => {
    if (/^[+-]?\d/.test(text)) {
      const everyMs = duration(text, (problem) =>
        report({ ...problem, message: problem.message.replace("a duration such as 90s or 1h30m", wanted) }),
      );
      return everyMs === undefined ? undefined : { everyMs };
    }
    const days = daysOf(text, report);
    return days && { weekdays: new Set(days), text };
  });
  return (value, report) => {
    if (!isList(value)) return one(value, report);
    if (value.length === 0) {
      report({ code: "bad-value", message: "must not be an empty list", hint: "write [monday, friday]" });
      return undefined;
    }
    const days = new Set<number>();
    let isSound = true;
    value.forEach((item, index) => {
      const reportItem: ReportProblem = (problem) => report({ ...problem, path: [index, ...(problem.path ?? [])] });
      const read = scalar(wantedDay, (text, reportDay) => daysOf(text, reportDay, wantedDay))(item, reportItem);
      const repeated = read?.find((day) => days.has(day));
      if (repeated !== undefined) {
        const message = `selects ${weekdays[repeated]} twice`;
        reportItem({ code: "bad-value", message, hint: "remove it: once is enough" });
      }
      if (read === undefined || repeated !== undefined) isSound = false;
      for (const day of read ?? []) days.add(day);
    });
    return isSound ? { weekdays: days, text: `[${value.map(String).join(", ")}]` } : undefined;
  };
}

/** `monday`, or `monday..friday`, which may pass the end of the week. */
function daysOf(text: string, report: ReportProblem, expected: string = wanted): readonly number[] | undefined {
  const ends = text.split("..").map((end) => end.trim());
  const numbers = ends.map(weekdayNumber);
  const [from, to] = [numbers[0], numbers.at(-1)];
  if (ends.length > 2 || from === undefined || to === undefined) {
    const phrase = phrases.get(text.toLowerCase());
    const days = ends.map((end) => (weekdayNumber(end) === undefined ? nearestWeekday(end) : end));
    const isClear = ends.length <= 2 && days.every((day) => day !== undefined);
    const hint = phrase ?? (isClear ? days.join("..") : undefined);
    report({
      code: "bad-value",
      message: `must be ${expected}, got ${describeValue(text)}`,
      hint: hint === undefined ? `the days are ${weekdays.join(", ")}` : `write ${hint}`,
    });
    return undefined;
  }
  return Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, index) => (from + index) % 7);
}
