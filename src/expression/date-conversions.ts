import { withoutDefault } from "./conversions.js";
import type { Environment } from "./environment.js";
import { parseDate, parseDateTime, parseTime } from "./parsing/index.js";
import { dayMs, daysSinceEpoch } from "./values/calendar.js";
import { DateValue, TimeValue } from "./values/date-values.js";
import { DateTimeValue } from "./values/datetime-value.js";
import { Decimal } from "./values/decimal.js";
import { describe } from "./values/describe.js";
import { ErrorValue } from "./values/error-value.js";
import type { Value } from "./values/value.js";

/** Datetime of a value; a date begins at midnight of the environment's zone, text is parsed. */
export function toDateTime(
  environment: Environment,
  value: Value,
  options: { readonly fillTime: boolean } = { fillTime: false },
): DateTimeValue | ErrorValue {
  const reduced = withoutDefault(value);
  if (reduced instanceof DateTimeValue || reduced instanceof ErrorValue) return reduced;
  if (reduced instanceof DateValue) return midnightOf(environment, reduced);
  const parsed = typeof reduced === "string" ? parseDateTime(environment, reduced, options) : undefined;
  return parsed ?? new ErrorValue(`unable to convert ${describe(reduced)} to a datetime`);
}

/** Date of a value; of a datetime in the environment's zone, text is parsed. */
export function toDate(environment: Environment, value: Value): DateValue | ErrorValue {
  const reduced = withoutDefault(value);
  if (reduced instanceof DateValue || reduced instanceof ErrorValue) return reduced;
  if (reduced instanceof DateTimeValue) return reduced.inZone(environment.timezone).date;
  const parsed = typeof reduced === "string" ? parseDate(environment, reduced) : undefined;
  return parsed ?? new ErrorValue(`unable to convert ${describe(reduced)} to a date`);
}

/** Time of day of a value; of a datetime as its own zone shows it, of a number 0 to 24 as the hour, text is parsed. */
export function toTime(_environment: Environment, value: Value): TimeValue | ErrorValue {
  const reduced = withoutDefault(value);
  if (reduced instanceof TimeValue || reduced instanceof ErrorValue) return reduced;
  if (reduced instanceof DateTimeValue) return reduced.time;
  const parsed = reduced instanceof Decimal ? hourOf(reduced) : undefined;
  const found = typeof reduced === "string" ? parseTime(reduced) : parsed;
  return found ?? new ErrorValue(`unable to convert ${describe(reduced)} to a time`);
}

/** The instant at which a day begins in the environment's zone. */
export function midnightOf({ timezone }: Environment, date: DateValue): DateTimeValue {
  return DateTimeValue.fromLocal(daysSinceEpoch(date.year, date.month, date.day) * dayMs, 0, timezone);
}

function hourOf(value: Decimal): TimeValue | undefined {
  const hour = value.trunc().toNumber();
  return hour >= 0 && hour <= 24 ? new TimeValue(hour % 24, 0, 0) : undefined;
}
