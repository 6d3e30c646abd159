import { parseTimestamp } from "./timestamp.js";

/** A parsed date or time of ISO 8601. */
export interface IsoTime {
  /** Local time: whole milliseconds since 1970, before the offset is applied. */
  readonly localMs: number;
  /** Whole microseconds below a millisecond, as a fraction, 0 <= x < 1. */
  readonly fractionMs: number;
  /** East of Greenwich is positive; undefined: the text names no zone. */
  readonly offsetMs: number | undefined;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;
const weekMs = 7 * dayMs;
/** Longer texts are rejected unread; every form with microseconds is shorter. */
const lengthMax = 64;

const parts = /^([\dW-]{4,10})(?:(?:T| +)([\d:.,]+?) ?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/**
 * Reads a date, or date and time, in every form of ISO 8601 for an instant: extended (`2018-03-05T07:41:09.120450Z`)
 * and basic (`20180305T074109Z`); month, year, ordinal (`2018-064`) and week dates (`2018-W10-1`); times down to the
 * hour, minute or second with a fraction of the last, `24:00` as the end of a day; a space in place of the `T` and
 * before the offset. Digits beyond microseconds are truncated. A date alone is its midnight.
 *
 * @returns undefined when the text has another form or the calendar lacks the date
 */
export function readIsoTime(text: string): IsoTime | undefined {
  if (text.length > lengthMax) return undefined;
  const [, date, time, zone] = parts.exec(text.trim()) ?? [];
  const dateMs = date === undefined ? undefined : readDate(date.toUpperCase());
  const micros = time === undefined ? 0 : readTime(time);
  const offsetMs = zone === undefined ? undefined : readOffset(zone);
  if (dateMs === undefined || micros === undefined || Number.isNaN(offsetMs)) return undefined;
  return { localMs: dateMs + Math.floor(micros / 1000), fractionMs: (micros % 1000) / 1000, offsetMs };
}

/** Milliseconds since 1970 of the first midnight of a date. */
function readDate(text: string): number | undefined {
  const calendar = /^(\d{4})(?:(-?)(\d\d)\2(\d\d)|-(\d\d))?$/.exec(text);
  if (calendar !== null) return midnight(calendar[1], calendar[3] ?? calendar[5] ?? "01", calendar[4] ?? "01");
  const ordinal = /^(\d{4})-?(\d{3})$/.exec(text);
  if (ordinal !== null) return ordinalDate(ordinal[1], Number(ordinal[2]));
  const week = /^(\d{4})(-?)W(\d\d)(?:\2([1-7]))?$/.exec(text);
  return week === null ? undefined : weekDate(week[1], { week: Number(week[3]), weekday: Number(week[4] ?? 1) });
}

function midnight(year: string | undefined, month: string, day: string): number | undefined {
  return parseTimestamp(`${year}-${month}-${day}T00:00:00`);
}

function ordinalDate(year: string | undefined, day: number): number | undefined {
  const first = midnight(year, "01", "01");
  const last = midnight(year, "12", "31");
  if (first === undefined || last === undefined) return undefined;
  const dateMs = first + (day - 1) * dayMs;
  return dateMs >= first && dateMs <= last ? dateMs : undefined;
}

/** The first week of a year has 4 January in it, the last has 28 December; weeks begin on Monday. */
function weekDate(year: string | undefined, { week, weekday }: { week: number; weekday: number }): number | undefined {
  const inFirst = midnight(year, "01", "04");
  const inLast = midnight(year, "12", "28");
  if (inFirst === undefined || inLast === undefined) return undefined;
  const sinceMonday = (((inFirst / dayMs + 3) % 7) + 7) % 7; // 1970-01-01 was a Thursday
  const firstMonday = inFirst - sinceMonday * dayMs;
  const weekStart = firstMonday + (week - 1) * weekMs;
  return weekStart >= firstMonday && weekStart <= inLast ? weekStart + (weekday - 1) * dayMs : undefined;
}

/** Microseconds since midnight. */
function readTime(text: string): number | undefined {
  const match = /^(\d\d)(?:(:?)(\d\d)(?:\2(\d\d))?)?(?:[.,](\d+))?$/.exec(text);
  if (match === null) return undefined;
  const [hour, minute, second] = [Number(match[1]), Number(match[3] ?? 0), Number(match[4] ?? 0)];
  const fractionOfSeconds = match[3] === undefined ? 3600 : match[4] === undefined ? 60 : 1;
  const nanos = Number((match[5] ?? "").slice(0, 9).padEnd(9, "0")) * fractionOfSeconds;
  const micros = ((hour * 60 + minute) * 60 + second) * 1_000_000 + Math.floor(nanos / 1000);
  return minute < 60 && second < 60 && micros <= dayMs * 1000 ? micros : undefined;
}

/** Milliseconds; NaN when the offset is invalid. */
function readOffset(text: string): number {
  if (/^z$/i.test(text)) return 0;
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(3).replace(":", ""))];
  if (hours > 23 || minutes > 59) return Number.NaN;
  return (text.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * minuteMs;
}
