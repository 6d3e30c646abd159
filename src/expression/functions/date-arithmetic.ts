import { calendarDay, dayMs, daysSinceEpoch } from "../values/calendar.js";
import { DateTimeValue } from "../values/datetime-value.js";
import { Decimal } from "../values/decimal.js";
import { ErrorValue } from "../values/error-value.js";

/** Milliseconds of the units that are lengths of time; days and more are steps of the calendar. */
const unitMs: ReadonlyMap<string, number> = new Map([
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
]);

/** Adds units (docs/reference/flows.md#functions). Days and more keep the wall-clock time of the zone. */
export function addToDateTime(value: DateTimeValue, count: number, unit: string): DateTimeValue | ErrorValue {
  const ms = unitMs.get(unit);
  if (ms !== undefined) {
    return checked(new DateTimeValue(value.epochMs + count * ms, value.nanosOfMs, value.zone));
  }
  const { year, month, day } = calendarDay(value.localDays);
  switch (unit) {
    case "D":
      return atDay(value, value.localDays + count);
    case "W":
      return atDay(value, value.localDays + count * 7);
    case "M":
      return atDay(value, daysSinceEpoch(year, month + count, day));
    case "Y":
      return atDay(value, daysSinceEpoch(year + count, month, day));
    default:
      return unknownUnit(unit);
  }
}

function atDay(value: DateTimeValue, days: number): DateTimeValue | ErrorValue {
  const sinceMidnightMs = value.localMs - value.localDays * dayMs;
  return checked(DateTimeValue.fromLocal(days * dayMs + sinceMidnightMs, value.nanosOfMs, value.zone));
}

function checked(value: DateTimeValue): DateTimeValue | ErrorValue {
  return value.isInRange ? value : new ErrorValue("datetime is out of range");
}

/**
 * Whole units from one datetime to another. Days and weeks count calendar days, months and years their numbers; each
 * datetime is taken as its own zone shows it.
 */
export function differenceOf(from: DateTimeValue, to: DateTimeValue, unit: string): Decimal | ErrorValue {
  const ms = unitMs.get(unit);
  if (ms !== undefined) return wholeUnits(from, to, ms);
  const [first, second] = [calendarDay(from.localDays), calendarDay(to.localDays)];
  const days = to.localDays - from.localDays;
  const years = second.year - first.year;
  switch (unit) {
    case "D":
      return new Decimal(days);
    case "W":
      return new Decimal(Math.trunc(days / 7) + 0);
    case "M":
      return new Decimal(years * 12 + second.month - first.month);
    case "Y":
      return new Decimal(years);
    default:
      return unknownUnit(unit);
  }
}

function wholeUnits(from: DateTimeValue, to: DateTimeValue, ms: number): Decimal {
  const nanos = new Decimal(to.epochMs - from.epochMs).times(1_000_000).plus(to.nanosOfMs - from.nanosOfMs);
  const units = nanos.div(ms * 1_000_000).trunc();
  return units.isZero() ? new Decimal(0) : units;
}

function unknownUnit(unit: string): ErrorValue {
  return new ErrorValue(`unknown unit: ${unit}, must be one of s, m, h, D, W, M, Y`);
}
