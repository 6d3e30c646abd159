import { toInteger, toNumber, toText } from "../conversions.js";
import { toDate, toDateTime, toTime } from "../date-conversions.js";
import type { Environment } from "../environment.js";
import { parseDateTimeBy, parseTimeBy } from "../formatting/parse-layout.js";
import { calendarDay, dayMs, daysSinceEpoch, weekdayOf } from "../values/calendar.js";
import { DateValue, TimeValue } from "../values/date-values.js";
import { DateTimeValue, offsetText } from "../values/datetime-value.js";
import { checkedNumber, Decimal, divide } from "../values/decimal.js";
import { ErrorValue } from "../values/error-value.js";
import type { FunctionValue } from "../values/value.js";
import { isFixedOffset } from "../values/zone.js";
import { addToDateTime, differenceOf } from "./date-arithmetic.js";
import { defineFunction } from "./define.js";
import { toZone } from "./zone-argument.js";

const nanosPerSecond = new Decimal(1_000_000_000);

/** Functions of datetimes, dates and times of day (docs/reference/flows.md#functions). */
export const dateFunctions: readonly FunctionValue[] = [
  defineFunction("now", {}, (environment) => nowIn(environment)),
  defineFunction("today", {}, (environment) => nowIn(environment).date),
  defineFunction(
    "parse_datetime",
    { required: [toText, toText], optional: [toZone] },
    (environment, text, layout, zone = environment.timezone) => parseDateTimeBy(layout, text, zone),
  ),
  defineFunction("parse_time", { required: [toText, toText] }, (_environment, text, layout) =>
    parseTimeBy(layout, text),
  ),
  defineFunction("datetime_from_epoch", { required: [toNumber] }, (environment, seconds) =>
    dateTimeOfEpoch(seconds, environment.timezone),
  ),
  defineFunction("epoch", { required: [toDateTime] }, (_environment, { epochMs, nanosOfMs }) => {
    const nanos = new Decimal(epochMs).times(1_000_000).plus(nanosOfMs);
    return checkedNumber(divide(nanos, nanosPerSecond));
  }),
  defineFunction("datetime_diff", { required: [toDateTime, toDateTime, toText] }, (_environment, from, to, unit) =>
    differenceOf(from, to, unit),
  ),
  defineFunction("datetime_add", { required: [toDateTime, toInteger, toText] }, (_environment, value, count, unit) =>
    addToDateTime(value, count, unit),
  ),
  defineFunction("replace_time", { required: [toDateTime, toTime] }, (_environment, value, time) => {
    const seconds = (time.hour * 60 + time.minute) * 60 + time.second;
    const ms = seconds * 1000 + Math.floor(time.nanosecond / 1_000_000);
    return DateTimeValue.fromLocal(value.localDays * dayMs + ms, time.nanosecond % 1_000_000, value.zone);
  }),
  defineFunction("tz", { required: [toDateTime] }, (_environment, { zone }) => (isFixedOffset(zone) ? "" : zone)),
  defineFunction("tz_offset", { required: [toDateTime] }, (_environment, { offsetMs }) => offsetText(offsetMs, "")),
  defineFunction(
    "date_from_parts",
    { required: [toInteger, toInteger, toInteger] },
    (_environment, year, month, day) => {
      if (month < 1 || month > 12) return new ErrorValue("invalid value for month, must be 1-12");
      return dateOfDays(daysSinceEpoch(year, month, day));
    },
  ),
  defineFunction(
    "time_from_parts",
    { required: [toInteger, toInteger, toInteger] },
    (_environment, hour, minute, second) => {
      if (hour < 0 || hour > 23) return new ErrorValue("invalid value for hour, must be 0-23");
      if (minute < 0 || minute > 59) return new ErrorValue("invalid value for minute, must be 0-59");
      if (second < 0 || second > 59) return new ErrorValue("invalid value for second, must be 0-59");
      return new TimeValue(hour, minute, second);
    },
  ),
  defineFunction("weekday", { required: [toDate] }, (_environment, date) => new Decimal(weekdayOf(epochDayOf(date)))),
  defineFunction("week_number", { required: [toDate] }, (_environment, date) => {
    const newYear = daysSinceEpoch(date.year, 1, 1);
    const dayOfYear = epochDayOf(date) - newYear;
    return new Decimal(Math.floor((dayOfYear + weekdayOf(newYear)) / 7) + 1);
  }),
];

function nowIn(environment: Environment): DateTimeValue {
  return environment.now().inZone(environment.timezone);
}

function epochDayOf({ year, month, day }: DateValue): number {
  return daysSinceEpoch(year, month, day);
}

function dateOfDays(days: number): DateValue | ErrorValue {
  const { year, month, day } = calendarDay(days);
  return year >= 0 && year <= 9999 ? new DateValue(year, month, day) : new ErrorValue("date is out of range");
}

/** Fractions are cut to nanoseconds. */
function dateTimeOfEpoch(seconds: Decimal, zone: string): DateTimeValue | ErrorValue {
  const nanos = seconds.times(nanosPerSecond).trunc();
  const ms = nanos.div(1_000_000).floor();
  const value = new DateTimeValue(ms.toNumber(), nanos.minus(ms.times(1_000_000)).toNumber(), zone);
  return Number.isSafeInteger(value.epochMs) && value.isInRange ? value : new ErrorValue("datetime is out of range");
}
