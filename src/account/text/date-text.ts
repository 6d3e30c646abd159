import { DateTime, IANAZone } from "luxon";
import { type OrganisationData, parseTimestamp, readIsoTime } from "../../wire/index.js";
import { Memo } from "./memo.js";

/** The settings with which dates in texts are read: order of day and month, time zone, current year. */
export interface DateContext extends Pick<OrganisationData, "timezone" | "dateStyle"> {
  /** Decides the century of years with two digits (docs/reference/flows.md#dates-and-field-values). */
  readonly currentYear: number;
}

const dayMs = 86_400_000;
/** The bounds of the years 0001 to 9999, which a timestamp can hold. */
const earliestMs = -62_135_596_800_000;
const endMs = 253_402_300_800_000;

/**
 * Reads a date or time as people and programs write it (docs/reference/flows.md#dates-and-field-values). Tries ISO
 * 8601; then the first date in the organisation's order, such as `05-03-2018 14:30`, its numbers separated by `- . / \
 * _` or a space; then the first one that begins with a year of four digits. A time may follow the date: `14:30`,
 * `1430`, `2:30 pm`, `14`; default: midnight. The default zone is the organisation's.
 *
 * @returns milliseconds since 1970, with a fraction where the text has microseconds; undefined when it has no date
 */
export function parseDateText(text: string, context: DateContext): number | undefined {
  const { timezone, dateStyle, currentYear } = context;
  // Cached: luxon's conversion to a zone takes 30 us a date.
  return memo.getOrCompute(`${timezone} ${dateStyle} ${currentYear} ${text}`, () => {
    const epochMs = readIso(text, timezone) ?? readWritten(text, context);
    return epochMs !== undefined && epochMs >= earliestMs && epochMs < endMs ? epochMs : undefined;
  });
}

const memo = new Memo<number | undefined>();

/** The calendar day of an instant in a zone, counted from 1970-01-01. */
export function localDay(epochMs: number, timezone: string): number {
  return Math.floor((epochMs + IANAZone.create(timezone).offset(epochMs) * 60_000) / dayMs);
}

/** ISO dates that people write. A lone year, year and month, or basic date without a time is more often a number. */
const isoStart = /^(?:\d{4}-\d\d-\d\d|\d{8}T)/i;

function readIso(text: string, timezone: string): number | undefined {
  const trimmed = text.trim();
  const time = isoStart.test(trimmed) ? readIsoTime(trimmed) : undefined;
  if (time === undefined) return undefined;
  const wholeMs = time.offsetMs === undefined ? epochOf(time.localMs, timezone) : time.localMs - time.offsetMs;
  return wholeMs + time.fractionMs;
}

/** A pattern of a date, with the numbers of its groups for year, month and day. */
interface DatePattern {
  readonly pattern: RegExp;
  readonly order: readonly [year: number, month: number, day: number];
}

const separator = String.raw`[-./\\_ ]`;
const dayOrMonth = String.raw`(\d{1,2})`;
const year = String.raw`(\d{4}|\d{2})`;

function datePattern(parts: readonly string[], order: DatePattern["order"]): DatePattern {
  return { pattern: new RegExp(String.raw`(?<!\d)${parts.join(separator)}(?!\d)`, "g"), order };
}

const byStyle: Readonly<Record<OrganisationData["dateStyle"], DatePattern>> = {
  day_first: datePattern([dayOrMonth, dayOrMonth, year], [3, 2, 1]),
  month_first: datePattern([dayOrMonth, dayOrMonth, year], [3, 1, 2]),
  year_first: datePattern([year, dayOrMonth, dayOrMonth], [1, 2, 3]),
};
const isoDate: DatePattern = { pattern: /^(\d{4})-(\d\d)-(\d\d)(?!\d)/g, order: [1, 2, 3] };
const fullYearFirst: DatePattern = datePattern([String.raw`(\d{4})`, dayOrMonth, dayOrMonth], [1, 2, 3]);

function readWritten(text: string, { timezone, dateStyle, currentYear }: DateContext): number | undefined {
  const trimmed = text.trim();
  for (const pattern of [isoDate, byStyle[dateStyle], fullYearFirst]) {
    const date = findDate(trimmed, pattern, currentYear);
    if (date !== undefined) return epochOf(date.localMs + findTime(trimmed.slice(date.end)), timezone);
  }
  return undefined;
}

/** The first valid date, and the index after it. */
function findDate(
  text: string,
  { pattern, order }: DatePattern,
  currentYear: number,
): { localMs: number; end: number } | undefined {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [yearText = "", month = "", day = ""] = order.map((group) => match?.[group]);
    const fullYear = yearText.length === 4 ? yearText : String(withCentury(Number(yearText), currentYear));
    const localMs = parseTimestamp(`${fullYear.padStart(4, "0")}-${pair(month)}-${pair(day)}T00:00:00`);
    if (localMs !== undefined) return { localMs, end: match.index + match[0].length };
    pattern.lastIndex = match.index + 1; // a date may begin inside an invalid one
  }
  return undefined;
}

/**
 * The latest year with these two digits that is not after the current year
 * (docs/reference/flows.md#dates-and-field-values).
 */
function withCentury(shortYear: number, currentYear: number): number {
  const sinceCentury = currentYear % 100;
  return currentYear - sinceCentury + shortYear - (shortYear > sinceCentury ? 100 : 0);
}

const timePattern = /(?<!\d)(\d{1,2})(?::?(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?(?:\s*([ap])\.?m\b)?(?![\d\p{L}])/giu;

/** Milliseconds since midnight of the first time in a text; 0 when it has none. */
function findTime(text: string): number {
  for (const [, hours, minutes = "0", seconds = "0", fraction = "0", half] of text.matchAll(timePattern)) {
    if (Number(hours) > (half === undefined ? 24 : 12) || Number(minutes) > 59 || Number(seconds) > 59) continue;
    const hour = half === undefined ? Number(hours) % 24 : (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0);
    const millis = Number(fraction.padEnd(3, "0").slice(0, 3));
    return ((hour * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + millis;
  }
  return 0;
}

/** The instant of a local time in a zone. A local time that daylight saving skips moves forward by the skipped span. */
function epochOf(localMs: number, timezone: string): number {
  if (timezone === "UTC") return localMs;
  return DateTime.fromMillis(localMs, { zone: "utc" }).setZone(timezone, { keepLocalTime: true }).toMillis();
}

function pair(digits: string): string {
  return digits.padStart(2, "0");
}
