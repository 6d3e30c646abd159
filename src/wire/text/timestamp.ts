/**
 * Instants as the service spells them: `YYYY-MM-DDTHH:MM:SS.mmm`, without a zone. They are UTC
 * (docs/reference/webhook.md#value-types). In memory an instant is a count of milliseconds since 1970; a fraction
 * carries microseconds, exactly up to the year 2248.
 *
 * The calendar is computed here instead of by `Date`, because every event formats timestamps.
 */

const dayMs = 86_400_000;
/** The range of four-digit years: 0000-01-01 to before 10000-01-01. */
const earliestMs = -62_167_219_200_000;
const endMs = 253_402_300_800_000;

const twoDigits: readonly string[] = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, "0"));

/**
 * The documented form, three digits: `2026-03-02T08:15:04.250`. Fractions of a millisecond are truncated.
 *
 * @throws RangeError when the instant is not a number in the years 0000 to 9999
 */
export function formatTimestamp(epochMs: number): string {
  const wholeMs = Math.floor(epochMs);
  return plainSeconds.of(wholeMs) + threeDigits(modulo(wholeMs, 1000));
}

/**
 * The documented form, form-encoded: `2026-03-02T08%3A15%3A04.250`.
 *
 * @throws RangeError when the instant is not a number in the years 0000 to 9999
 */
export function formatTimestampInForm(epochMs: number): string {
  const wholeMs = Math.floor(epochMs);
  return secondsInForm.of(wholeMs) + threeDigits(modulo(wholeMs, 1000));
}

/**
 * The historic form, six digits: `2026-03-02T08:15:04.250000` (docs/reference/webhook.md#value-types).
 *
 * @throws RangeError when the instant is not a number in the years 0000 to 9999
 */
export function formatTimestampMicros(epochMs: number): string {
  let wholeMs = Math.floor(epochMs);
  let micros = Math.round((epochMs - wholeMs) * 1000);
  if (micros === 1000) {
    micros = 0;
    wholeMs++;
  }
  return plainSeconds.of(wholeMs) + threeDigits(modulo(wholeMs, 1000)) + threeDigits(micros);
}

/**
 * The form inside historic flow posts, six digits and a zone: `2026-03-02T08:15:04.250000Z`
 * (docs/reference/webhook.md#value-types).
 *
 * @throws RangeError when the instant is not a number in the years 0000 to 9999
 */
export function formatTimestampZoned(epochMs: number): string {
  return `${formatTimestampMicros(epochMs)}Z`;
}

/**
 * Reads every form above, with 1 to 6 fraction digits or none, with or without Z. Lenient in form, strict about the
 * calendar: there is no 30 February and no 24:00. A regular expression would take five times as long.
 *
 * @returns milliseconds since 1970, with a fraction where the text has microseconds; undefined when it is no timestamp
 */
export function parseTimestamp(text: string): number | undefined {
  const end = text.endsWith("Z") ? text.length - 1 : text.length;
  const fractionDigits = Math.max(0, end - 20);
  if (end < 19 || end === 20 || fractionDigits > 6 || !hasSeparators(text, end)) return undefined;
  const [year, month, day] = [digitsAt(text, 0, 4), digitsAt(text, 5, 2), digitsAt(text, 8, 2)];
  const [hour, minute, second] = [digitsAt(text, 11, 2), digitsAt(text, 14, 2), digitsAt(text, 17, 2)];
  const micros = digitsAt(text, 20, fractionDigits) * 10 ** (6 - fractionDigits);
  if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month))) return undefined;
  if (!(hour <= 23 && minute <= 59 && second <= 59 && micros >= 0)) return undefined;
  const wholeMs =
    daysBefore(year, month, day) * dayMs + ((hour * 60 + minute) * 60 + second) * 1000 + Math.floor(micros / 1000);
  return wholeMs + (micros % 1000) / 1000;
}

const [dash, letterT, colon, point] = [0x2d, 0x54, 0x3a, 0x2e];

/** Whether a text has the signs between the digits of a timestamp that ends before `end`. */
function hasSeparators(text: string, end: number): boolean {
  return (
    text.charCodeAt(4) === dash &&
    text.charCodeAt(7) === dash &&
    text.charCodeAt(10) === letterT &&
    text.charCodeAt(13) === colon &&
    text.charCodeAt(16) === colon &&
    (end === 19 || text.charCodeAt(19) === point)
  );
}

/** The number of some decimal digits; NaN if there is anything else. */
function digitsAt(text: string, from: number, count: number): number {
  let value = 0;
  for (let at = from; at < from + count; at++) {
    const digit = text.charCodeAt(at) - 0x30;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

/** Formats instants up to the decimal point. Caches the last day and second, which successive events share. */
class Seconds {
  readonly #colon: string;
  #day = Number.NaN;
  #dayText = "";
  #second = Number.NaN;
  #text = "";

  constructor(colon: string) {
    this.#colon = colon;
  }

  of(wholeMs: number): string {
    const second = Math.floor(wholeMs / 1000);
    if (second !== this.#second) {
      this.#text = this.#format(wholeMs);
      this.#second = second;
    }
    return this.#text;
  }

  #format(wholeMs: number): string {
    if (!(wholeMs >= earliestMs && wholeMs < endMs)) {
      throw new RangeError(`a timestamp must be in the years 0000 to 9999, got ${wholeMs} ms since 1970`);
    }
    const day = Math.floor(wholeMs / dayMs);
    if (day !== this.#day) {
      this.#dayText = formatDay(day);
      this.#day = day;
    }
    const seconds = Math.floor((wholeMs - day * dayMs) / 1000);
    const minutes = Math.floor(seconds / 60);
    const colon = this.#colon;
    return `${this.#dayText}T${pair(Math.floor(minutes / 60))}${colon}${pair(minutes % 60)}${colon}${pair(seconds % 60)}.`;
  }
}

const plainSeconds = new Seconds(":");
const secondsInForm = new Seconds("%3A");

/** The date of a day counted from 1970-01-01: years begin in March here, so that a leap day is the last of its year. */
function formatDay(day: number): string {
  const sinceMarch0 = day + 719_468;
  const era = Math.floor(sinceMarch0 / 146_097); // 400 years
  const dayOfEra = sinceMarch0 - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const dayOfMonth = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${String(year).padStart(4, "0")}-${pair(month)}-${pair(dayOfMonth)}`;
}

/** Days from 1970-01-01 to a date, negative before it: `formatDay` the other way round. */
function daysBefore(year: number, month: number, dayOfMonth: number): number {
  const marchYear = month <= 2 ? year - 1 : year;
  const monthFromMarch = month <= 2 ? month + 9 : month - 3;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + Math.floor((153 * monthFromMarch + 2) / 5) + dayOfMonth - 1 - 719_468;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function modulo(value: number, divisor: number): number {
  return value - Math.floor(value / divisor) * divisor;
}

function pair(value: number): string {
  return twoDigits[value] ?? String(value);
}

function threeDigits(value: number): string {
  return value < 100 ? `0${pair(value)}` : String(value);
}
