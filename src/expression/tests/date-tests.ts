import { toText } from "../conversions.js";
import { toDateTime } from "../date-conversions.js";
import type { Environment } from "../environment.js";
import { defineFunction } from "../functions/define.js";
import { parseDateTime, parseTime } from "../parsing/index.js";
import type { DateTimeValue } from "../values/datetime-value.js";
import type { FunctionValue, ObjectValue } from "../values/value.js";
import { matched, noMatch } from "./result.js";

/** Tests of the dates and times in a text (docs/reference/flows.md#tests). */
export const dateTests: readonly FunctionValue[] = [
  defineFunction("has_date", { required: [toText] }, (environment, text) => firstDate(environment, text, () => true)),
  comparison("has_date_lt", (day, other) => day < other),
  comparison("has_date_eq", (day, other) => day === other),
  comparison("has_date_gt", (day, other) => day > other),
  defineFunction("has_time", { required: [toText] }, (_, text) => {
    const time = parseTime(text);
    return time === undefined ? noMatch : matched(time);
  }),
];

/** @param holds - compares two calendar dates, `YYYY-MM-DD` */
function comparison(name: string, holds: (day: string, other: string) => boolean): FunctionValue {
  return defineFunction(name, { required: [toText, toDateTime] }, (environment, text, other) =>
    firstDate(environment, text, (day) => holds(day, dayOf(environment, other))),
  );
}

function firstDate(environment: Environment, text: string, holds: (day: string) => boolean): ObjectValue {
  const value = parseDateTime(environment, text, { fillTime: true });
  return value !== undefined && holds(dayOf(environment, value)) ? matched(value) : noMatch;
}

/** The calendar date in the environment's zone. */
function dayOf({ timezone }: Environment, value: DateTimeValue): string {
  return value.inZone(timezone).date.toString();
}
