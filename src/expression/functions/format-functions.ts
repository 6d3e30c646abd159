import { toBoolean, toInteger, toNumber, toText } from "../conversions.js";
import { toDate, toDateTime, toTime } from "../date-conversions.js";
import { dateTimeLayout, formatDate, formatDateTime, formatTime } from "../formatting/format-layout.js";
import { formatNumber } from "../formatting/format-number.js";
import { formatValue } from "../formatting/format-value.js";
import { ErrorValue } from "../values/error-value.js";
import type { FunctionValue } from "../values/value.js";
import { anyValue, defineFunction } from "./define.js";
import { toZone } from "./zone-argument.js";

/** Most decimal places of `format_number`. */
const placesMax = 9;

/** Functions that write values for people (docs/reference/flows.md#functions). */
export const formatFunctions: readonly FunctionValue[] = [
  defineFunction("format", { required: [anyValue] }, (environment, value) => formatValue(environment, value)),
  defineFunction(
    "format_date",
    { required: [toDate], optional: [toText] },
    (environment, date, layout = environment.dateFormat) => formatDate(environment, date, layout),
  ),
  defineFunction(
    "format_time",
    { required: [toTime], optional: [toText] },
    (environment, time, layout = environment.timeFormat) => formatTime(environment, time, layout),
  ),
  defineFunction(
    "format_datetime",
    { required: [toDateTime], optional: [toText, toZone] },
    (environment, value, layout = dateTimeLayout(environment), zone = environment.timezone) =>
      formatDateTime(environment, value.inZone(zone), layout),
  ),
  defineFunction(
    "format_number",
    { required: [toNumber], optional: [toInteger, toBoolean] },
    (environment, number, places, isGrouped = true) =>
      places !== undefined && (places < 0 || places > placesMax)
        ? new ErrorValue(`must take 0-9 number of places, got ${places}`)
        : formatNumber(number, environment.numberFormat, { places, isGrouped }),
  ),
  defineFunction("format_location", { required: [toText] }, (_environment, path) =>
    path.slice(path.lastIndexOf(">") + 1).trim(),
  ),
];
