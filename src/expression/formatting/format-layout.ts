import type { Environment } from "../environment.js";
import { daysSinceEpoch, weekdayOf } from "../values/calendar.js";
import { DateValue, padded, TimeValue } from "../values/date-values.js";
import { offsetText, type DateTimeValue } from "../values/datetime-value.js";
import { ErrorValue } from "../values/error-value.js";
import { readLayout, type LayoutKind, type LayoutLetters } from "./layout.js";
import { namesIn, type DateNames } from "./names.js";

/** What is written: a date, a time of day, or both with an offset. */
interface Written {
  readonly date: DateValue;
  readonly time: TimeValue;
  readonly offsetMs: number;
}

const noDate = new DateValue(0, 1, 1);
const noTime = new TimeValue(0, 0, 0);

/** A date by a layout (docs/reference/flows.md#date-layouts), with names in the environment's language. */
export function formatDate(environment: Environment, date: DateValue, layout: string): string | ErrorValue {
  return format(environment, { date, time: noTime, offsetMs: 0 }, layout, "date");
}

/** A time of day by a layout. */
export function formatTime(environment: Environment, time: TimeValue, layout: string): string | ErrorValue {
  return format(environment, { date: noDate, time, offsetMs: 0 }, layout, "time");
}

/** A datetime by a layout, as its own zone shows it. */
export function formatDateTime(environment: Environment, value: DateTimeValue, layout: string): string | ErrorValue {
  const { date, time, offsetMs } = value;
  return format(environment, { date, time, offsetMs }, layout, "datetime");
}

/** The layout of datetimes that the environment prefers. */
export function dateTimeLayout({ dateFormat, timeFormat }: Environment): string {
  return `${dateFormat} ${timeFormat}`;
}

function format(environment: Environment, written: Written, layout: string, kind: LayoutKind): string | ErrorValue {
  const parts = readLayout(layout, kind, "formatting");
  if (parts instanceof ErrorValue) return parts;
  const names = namesIn(environment.language ?? environment.allowedLanguages[0]);
  return parts.map((part) => (part.kind === "literal" ? part.text : partText(part.letters, written, names))).join("");
}

function partText(letters: LayoutLetters, { date, time, offsetMs }: Written, names: DateNames): string {
  const weekday = weekdayOf(daysSinceEpoch(date.year, date.month, date.day));
  switch (letters) {
    case "YY":
      return padded(Math.abs(date.year) % 100, 2);
    case "YYYY":
      return padded(date.year, 4);
    case "M":
    case "MM":
      return padded(date.month, letters.length);
    case "MMM":
      return names.shortMonths[date.month - 1] ?? "";
    case "MMMM":
      return names.months[date.month - 1] ?? "";
    case "D":
    case "DD":
      return padded(date.day, letters.length);
    case "EEE":
      return names.shortDays[weekday] ?? "";
    case "EEEE":
      return names.days[weekday] ?? "";
    case "h":
    case "hh":
      return padded(time.hour % 12 === 0 ? 12 : time.hour % 12, letters.length);
    case "t":
    case "tt":
      return padded(time.hour, letters.length);
    case "m":
    case "mm":
      return padded(time.minute, letters.length);
    case "s":
    case "ss":
      return padded(time.second, letters.length);
    case "fff":
    case "ffffff":
    case "fffffffff":
      return padded(time.nanosecond, 9).slice(0, letters.length);
    case "aa":
      return names.halves[time.hour < 12 ? 0 : 1].toLowerCase();
    case "AA":
      return names.halves[time.hour < 12 ? 0 : 1].toUpperCase();
    case "Z":
      return offsetMs === 0 ? "Z" : offsetText(offsetMs, ":");
    case "ZZZ":
      return offsetText(offsetMs, ":");
  }
}
