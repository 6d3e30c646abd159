import type { Environment } from "../environment.js";
import { DateValue, TimeValue } from "../values/date-values.js";
import { DateTimeValue } from "../values/datetime-value.js";
import { Decimal } from "../values/decimal.js";
import { ErrorValue } from "../values/error-value.js";
import { nestedTooDeeply, nestingMax, textLengthMax, textTooLong } from "../values/limits.js";
import { spend, workExceeded } from "../values/meter.js";
import { textOf } from "../values/text-form.js";
import { ArrayValue, ObjectValue, type Value } from "../values/value.js";
import { dateTimeLayout, formatDate, formatDateTime, formatTime } from "./format-layout.js";
import { formatNumber } from "./format-number.js";

/** Units of work to write a number or date, and to indent a character. */
const unitsOfValue = 2;
const unitsOfCharacter = 0.04;

/**
 * A value for people (docs/reference/flows.md#functions): numbers grouped, dates in the environment's format, arrays
 * and objects as lists.
 */
export function formatValue(environment: Environment, value: Value, depth = 0): string | ErrorValue {
  if (depth > nestingMax) return nestedTooDeeply;
  if (!spend(unitsOfValue)) return workExceeded;
  if (value instanceof Decimal) return formatNumber(value, environment.numberFormat, { isGrouped: true });
  if (value instanceof DateValue) return formatDate(environment, value, environment.dateFormat);
  if (value instanceof TimeValue) return formatTime(environment, value, environment.timeFormat);
  if (value instanceof DateTimeValue) {
    return formatDateTime(environment, value.inZone(environment.timezone), dateTimeLayout(environment));
  }
  if (value instanceof ArrayValue) return formatArray(environment, value, depth);
  if (value instanceof ObjectValue) return formatObject(environment, value, depth);
  return value instanceof ErrorValue ? "" : textOf(value);
}

/** Items on one line, or one below the other if one of them has several lines. */
function formatArray(environment: Environment, array: ArrayValue, depth: number): string | ErrorValue {
  const parts = formatAll(environment, array.items, depth);
  if (parts instanceof ErrorValue) return parts;
  if (!parts.some((part) => part.includes("\n"))) return parts.join(", ");
  return parts.map((part) => `-${indented(part).slice(1)}`).join("\n");
}

function formatObject(environment: Environment, object: ObjectValue, depth: number): string | ErrorValue {
  const { defaultValue } = object;
  if (defaultValue !== undefined) return formatValue(environment, defaultValue, depth + 1);
  const entries = object.entries();
  const parts = formatAll(
    environment,
    entries.map(([, value]) => value),
    depth,
  );
  if (parts instanceof ErrorValue) return parts;
  return entries.map(([name], index) => `${name}:${afterColon(parts[index] ?? "")}`).join("\n");
}

function afterColon(text: string): string {
  return text.includes("\n") ? `\n${indented(text)}` : ` ${text}`;
}

function indented(text: string): string {
  return text.replace(/^/gm, "  ");
}

function formatAll(environment: Environment, values: readonly Value[], depth: number): string[] | ErrorValue {
  const parts: string[] = [];
  let length = 0;
  for (const value of values) {
    const part = formatValue(environment, value, depth + 1);
    if (part instanceof ErrorValue) return part;
    // Each level around a part indents it once more.
    if (!spend(part.length * unitsOfCharacter)) return workExceeded;
    length += part.length;
    if (length > textLengthMax) return textTooLong;
    parts.push(part);
  }
  return parts;
}
