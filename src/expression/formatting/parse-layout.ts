import { dayMs, daysSinceEpoch, isCalendarDay } from "../values/calendar.js";
import { TimeValue } from "../values/date-values.js";
import { DateTimeValue } from "../values/datetime-value.js";
import { describe } from "../values/describe.js";
import { ErrorValue } from "../values/error-value.js";
import { offsetMsAt } from "../values/zone.js";
import { readLayout, type LayoutLetters, type LayoutPart } from "./layout.js";

/** What the letters of a layout set. */
interface Fields {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  nanosecond: number;
  half: "am" | "pm" | undefined;
  /** Undefined: the text names no offset. */
  offsetMs: number | undefined;
}

/**
 * Reads a datetime that is written by a layout (docs/reference/flows.md#date-layouts). Letters that are doubled need
 * two digits, except `tt`. A fraction may follow the seconds although the layout has none.
 *
 * @param zone - IANA name: of the datetime, unless the text names another offset
 */
export function parseDateTimeBy(layout: string, text: string, zone: string): DateTimeValue | ErrorValue {
  const parts = readLayout(layout, "datetime", "parsing");
  if (parts instanceof ErrorValue) return parts;
  const fields = readFields(parts, text);
  if (fields === undefined) return cannotParse(layout, text);
  const { year, month, day, nanosecond, offsetMs } = fields;
  if (!isCalendarDay(year, month, day)) return cannotParse(layout, text);
  const seconds = (hourOf(fields) * 60 + fields.minute) * 60 + fields.second;
  const localMs = daysSinceEpoch(year, month, day) * dayMs + seconds * 1000 + Math.floor(nanosecond / 1_000_000);
  const nanosOfMs = nanosecond % 1_000_000;
  if (offsetMs === undefined) return DateTimeValue.fromLocal(localMs, nanosOfMs, zone);
  return new DateTimeValue(localMs - offsetMs, nanosOfMs, zoneOfOffset(offsetMs, zone, localMs - offsetMs));
}

/** Reads a time of day that is written by a layout. */
export function parseTimeBy(layout: string, text: string): TimeValue | ErrorValue {
  const parts = readLayout(layout, "time", "parsing");
  if (parts instanceof ErrorValue) return parts;
  const fields = readFields(parts, text);
  if (fields === undefined) return cannotParse(layout, text);
  return new TimeValue(hourOf(fields), fields.minute, fields.second, fields.nanosecond);
}

function cannotParse(layout: string, text: string): ErrorValue {
  return new ErrorValue(`cannot parse ${describe(text)} as ${layout}`);
}

/** The zone itself if it has this offset then; else UTC or a fixed offset. */
function zoneOfOffset(offsetMs: number, zone: string, epochMs: number): string {
  if (offsetMs === 0) return "UTC";
  if (offsetMsAt(zone, epochMs) === offsetMs) return zone;
  const minutes = Math.abs(offsetMs) / 60_000;
  const rest = minutes % 60 === 0 ? "" : `:${String(minutes % 60).padStart(2, "0")}`;
  return `UTC${offsetMs < 0 ? "-" : "+"}${Math.floor(minutes / 60)}${rest}`;
}

function hourOf({ hour, half }: Fields): number {
  if (half === "pm" && hour < 12) return hour + 12;
  return half === "am" && hour === 12 ? 0 : hour;
}

function readFields(parts: readonly LayoutPart[], text: string): Fields | undefined {
  const fields: Fields = {
    year: 0,
    month: 1,
    day: 1,
    hour: 0,
    minute: 0,
    second: 0,
    nanosecond: 0,
    half: undefined,
    offsetMs: undefined,
  };
  let rest = text;
  for (const [index, part] of parts.entries()) {
    const after: string | undefined =
      part.kind === "literal" ? afterLiteral(part.text, rest) : readLetters(part.letters, rest, fields);
    if (after === undefined) return undefined;
    const hasFraction = part.kind === "letters" && part.letters.startsWith("s") && !fractionFollows(parts, index);
    rest = hasFraction ? afterFraction(after, fields) : after;
  }
  return rest === "" ? fields : undefined;
}

/** Spaces of a layout match any number of spaces; at the end of a text none are needed. */
function afterLiteral(literal: string, text: string): string | undefined {
  if (literal.startsWith(" ")) return text === "" || text.startsWith(" ") ? text.replace(/^ +/, "") : undefined;
  return text.startsWith(literal) ? text.slice(literal.length) : undefined;
}

function fractionFollows(parts: readonly LayoutPart[], index: number): boolean {
  const [next, afterNext] = [parts[index + 1], parts[index + 2]];
  if (next?.kind !== "literal" || (next.text !== "." && next.text !== ",")) return false;
  return afterNext?.kind === "letters" && afterNext.letters.startsWith("f");
}

function afterFraction(text: string, fields: Fields): string {
  const digits = /^[.,](\d+)/.exec(text)?.[1];
  if (digits === undefined) return text;
  fields.nanosecond = Number(digits.slice(0, 9).padEnd(9, "0"));
  return text.slice(1 + digits.length);
}

const patterns: Readonly<Record<LayoutLetters, RegExp>> = {
  YY: /^\d{2}/,
  YYYY: /^\d{4}/,
  M: /^\d{1,2}/,
  MM: /^\d{2}/,
  MMM: /^$/,
  MMMM: /^$/,
  D: /^\d{1,2}/,
  DD: /^\d{2}/,
  EEE: /^$/,
  EEEE: /^$/,
  h: /^\d{1,2}/,
  hh: /^\d{2}/,
  t: /^\d{1,2}/,
  tt: /^\d{1,2}/,
  m: /^\d{1,2}/,
  mm: /^\d{2}/,
  s: /^\d{1,2}/,
  ss: /^\d{2}/,
  fff: /^\d{3}/,
  ffffff: /^\d{6}/,
  fffffffff: /^\d{9}/,
  aa: /^[ap]m/,
  AA: /^[AP]M/,
  Z: /^(?:Z|[+-]\d\d:\d\d)/,
  ZZZ: /^[+-]\d\d:\d\d/,
};

/** Sets the field of letters; returns the text after them, or undefined if they do not match. */
function readLetters(letters: LayoutLetters, text: string, fields: Fields): string | undefined {
  const found = patterns[letters].exec(text)?.[0];
  if (found === undefined) return undefined;
  const number = Number(found);
  const isInRange = setField(letters, { found, number }, fields);
  return isInRange ? text.slice(found.length) : undefined;
}

function setField(
  letters: LayoutLetters,
  { found, number }: { readonly found: string; readonly number: number },
  fields: Fields,
): boolean {
  switch (letters) {
    case "YY":
      fields.year = number >= 69 ? 1900 + number : 2000 + number;
      return true;
    case "YYYY":
      fields.year = number;
      return true;
    case "M":
    case "MM":
      fields.month = number;
      return number >= 1 && number <= 12;
    case "D":
    case "DD":
      fields.day = number;
      return number >= 1 && number <= 31;
    case "h":
    case "hh":
      fields.hour = number;
      return number <= 12;
    case "t":
    case "tt":
      fields.hour = number;
      return number <= 23;
    case "m":
    case "mm":
      fields.minute = number;
      return number <= 59;
    case "s":
    case "ss":
      fields.second = number;
      return number <= 59;
    case "fff":
    case "ffffff":
    case "fffffffff":
      fields.nanosecond = Number(found.padEnd(9, "0"));
      return true;
    case "aa":
    case "AA":
      fields.half = found.toLowerCase() === "am" ? "am" : "pm";
      return true;
    case "Z":
    case "ZZZ":
      fields.offsetMs = offsetOf(found);
      return true;
    case "MMM":
    case "MMMM":
    case "EEE":
    case "EEEE":
      return false;
  }
}

function offsetOf(text: string): number {
  if (text === "Z") return 0;
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(4, 6));
  return (text.startsWith("-") ? -minutes : minutes) * 60_000;
}
