import { parseTimestamp } from "../../wire/index.js";
import type { DateFormat, Environment } from "../environment.js";
import { DateValue, type TimeValue } from "../values/date-values.js";
import { DateTimeValue } from "../values/datetime-value.js";
import { spend } from "../values/meter.js";
import { fixedZone, offsetMsAt } from "../values/zone.js";
import { findClock, type FoundTime } from "./times.js";

/** Units of work to search a character for a date. */
const unitsOfCharacter = 0.25;

/**
 * The first date in a text, with the time that follows it (docs/reference/flows.md#dates-and-field-values).
 *
 * @param options - `fillTime`: a text without a time gets the present time of day instead of midnight
 * @returns in the environment's zone, or in the offset that the text names; undefined when the text has no date
 */
export function parseDateTime(
  environment: Environment,
  text: string,
  { fillTime }: { readonly fillTime: boolean },
): DateTimeValue | undefined {
  if (!spend(text.length * unitsOfCharacter)) return undefined;
  const trimmed = trimBlanks(text);
  const complete = readIsoDateTime(trimmed, environment.timezone);
  if (complete !== undefined) return complete;
  const found = findDate(environment, trimmed);
  if (found === undefined) return undefined;
  const clock = findClock(trimmed.slice(found.end));
  return atLocalTime(environment, found.midnightMs, clock ?? (fillTime ? presentClock(environment) : midnight));
}

/** The first date in a text (docs/reference/flows.md#dates-and-field-values); undefined when it has none. */
export function parseDate(environment: Environment, text: string): DateValue | undefined {
  if (!spend(text.length * unitsOfCharacter)) return undefined;
  return findDate(environment, trimBlanks(text))?.date;
}

/** A date that was found in a text. */
interface FoundDate {
  readonly date: DateValue;
  /** As if the date were one of UTC. */
  readonly midnightMs: number;
  /** Index in the text after it. */
  readonly end: number;
}

const midnight: FoundTime = { sinceMidnightMs: 0, nanosOfMs: 0 };

function presentClock(environment: Environment): FoundTime {
  const { hour, minute, second, nanosecond }: TimeValue = environment.now().inZone(environment.timezone).time;
  const nanosOfMs = nanosecond % 1_000_000;
  const millisecond = (nanosecond - nanosOfMs) / 1_000_000;
  return { sinceMidnightMs: ((hour * 60 + minute) * 60 + second) * 1000 + millisecond, nanosOfMs };
}

function atLocalTime({ timezone }: Environment, midnightMs: number, clock: FoundTime): DateTimeValue {
  return DateTimeValue.fromLocal(midnightMs + clock.sinceMidnightMs, clock.nanosOfMs, timezone);
}

const isoDateTime = /^(\d{4}-\d\d-\d\d)T(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:(Z)|([+-])(\d\d):(\d\d))$/;

/** A date and time of ISO 8601 with its offset, such as `2018-03-05T07:41:09.12045Z`; seconds may be missing. */
function readIsoDateTime(text: string, timezone: string): DateTimeValue | undefined {
  const match = isoDateTime.exec(text);
  if (match === null) return undefined;
  const [, date = "", hour = "", minute = "", second = "00", fraction = "", utc, sign, hours, minutes] = match;
  const localMs = parseTimestamp(`${date}T${hour.padStart(2, "0")}:${minute}:${second}`);
  const offsetMinutes = utc === undefined ? Number(hours) * 60 + Number(minutes) : 0;
  if (localMs === undefined || offsetMinutes >= 24 * 60 || Number(minutes ?? 0) > 59) return undefined;
  const nanos = Number(fraction.slice(0, 9).padEnd(9, "0"));
  const signed = sign === "-" ? -offsetMinutes : offsetMinutes;
  const epochMs = localMs + Math.floor(nanos / 1_000_000) - signed * 60_000;
  return new DateTimeValue(
    epochMs,
    nanos % 1_000_000,
    zoneWith(signed, { epochMs, timezone, isUtc: utc !== undefined }),
  );
}

/** The environment's zone if it has this offset at the instant; else a zone of that offset. */
function zoneWith(
  offsetMinutes: number,
  { epochMs, timezone, isUtc }: { epochMs: number; timezone: string; isUtc: boolean },
): string {
  if (isUtc) return "UTC";
  return offsetMsAt(timezone, epochMs) === offsetMinutes * 60_000 ? timezone : fixedZone(offsetMinutes);
}

function findDate(environment: Environment, trimmed: string): FoundDate | undefined {
  return readIsoDate(trimmed) ?? findWrittenDate(environment, trimmed);
}

/** The zero-padded ISO date at the start of a text. */
function readIsoDate(text: string): FoundDate | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)/.exec(text);
  return match === null ? undefined : foundDate(Number(match[1]), Number(match[2]), Number(match[3]), match[0].length);
}

const separator = String.raw`[-./\\_ ]`;
const dayOrMonth = String.raw`(\d{1,2})`;
const yearDigits = String.raw`(\d{4}|\d\d)`;

function triple(...parts: readonly string[]): RegExp {
  return new RegExp(String.raw`\b${parts.join(separator)}\b`, "g");
}

const yearLast = triple(dayOrMonth, dayOrMonth, yearDigits);

/** How each format writes a date: its pattern, and which group is the year, month and day. */
const written: Readonly<Record<DateFormat, { readonly pattern: RegExp; readonly groups: readonly number[] }>> = {
  "YYYY-MM-DD": { pattern: triple(yearDigits, dayOrMonth, dayOrMonth), groups: [1, 2, 3] },
  "DD-MM-YYYY": { pattern: yearLast, groups: [3, 2, 1] },
  "MM-DD-YYYY": { pattern: yearLast, groups: [3, 1, 2] },
};

/** The first triple of numbers in the environment's order that the calendar has. */
function findWrittenDate(environment: Environment, text: string): FoundDate | undefined {
  const { pattern, groups } = written[environment.dateFormat];
  for (const match of text.matchAll(pattern)) {
    const [year = "", month = "", day = ""] = groups.map((group) => match[group]);
    const fullYear = year.length === 4 ? Number(year) : withCentury(Number(year), environment);
    const found = foundDate(fullYear, Number(month), Number(day), match.index + match[0].length);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** 19xx for two digits above those of the present year, else 20xx. */
function withCentury(shortYear: number, environment: Environment): number {
  const { year } = environment.now().inZone(environment.timezone).date;
  return shortYear > year % 100 ? 1900 + shortYear : 2000 + shortYear;
}

function foundDate(year: number, month: number, day: number, end: number): FoundDate | undefined {
  const midnightMs = midnightOf(year, month, day);
  return midnightMs === undefined ? undefined : { date: new DateValue(year, month, day), midnightMs, end };
}

/** As if the date were one of UTC; undefined when the calendar lacks it. */
function midnightOf(year: number, month: number, day: number): number | undefined {
  const [yyyy, mm, dd] = [String(year).padStart(4, "0"), String(month).padStart(2, "0"), String(day).padStart(2, "0")];
  return parseTimestamp(`${yyyy}-${mm}-${dd}T00:00:00`);
}

/** Drops spaces, tabs and line ends around a text. A loop, because a regular expression for trailing ones is quadratic. */
function trimBlanks(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(text.charCodeAt(from))) from++;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13;
}
