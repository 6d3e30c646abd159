import type { Environment } from "./environment.js";
import { ArrayValue, FunctionValue, ObjectValue, type Value } from "./values/value.js";
import { DateValue, TimeValue } from "./values/date-values.js";
import { DateTimeValue } from "./values/datetime-value.js";
import { Decimal } from "./values/decimal.js";
import { describe } from "./values/describe.js";
import { ErrorValue } from "./values/error-value.js";

/** Text form of a value: docs/reference/flows.md#types-and-conversion. */
export function toText(environment: Environment, value: Value): string | ErrorValue {
  if (value === null) return "";
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "true" : "false";
  if (value instanceof Decimal) return value.toFixed();
  if (value instanceof DateTimeValue || value instanceof DateValue || value instanceof TimeValue) {
    return value.toString();
  }
  if (value instanceof ErrorValue) return value;
  if (value instanceof FunctionValue) return value.name;
  if (value instanceof ArrayValue) {
    return `[${value.items.map((item) => textOrMessage(environment, item)).join(", ")}]`;
  }
  const { defaultValue } = value;
  if (defaultValue !== undefined) return toText(environment, defaultValue);
  return `{${value
    .entries()
    .map(([name, item]) => `${name}: ${textOrMessage(environment, item)}`)
    .join(", ")}}`;
}

function textOrMessage(environment: Environment, value: Value): string {
  const text = toText(environment, value);
  return text instanceof ErrorValue ? text.message : text;
}

const numberPattern = /^-?(\d+(\.\d+)?|\.\d+)$/;

/** Number of a value; texts must be plain numbers, null and truths are none. */
export function toNumber(_environment: Environment, value: Value): Decimal | ErrorValue {
  let reduced: Value = value;
  while (reduced instanceof ObjectValue && reduced.defaultValue !== undefined) reduced = reduced.defaultValue;
  if (reduced instanceof Decimal || reduced instanceof ErrorValue) return reduced;
  if (typeof reduced === "string") {
    const trimmed = reduced.trim();
    if (numberPattern.test(trimmed)) return new Decimal(trimmed);
  }
  return new ErrorValue(`unable to convert ${describe(reduced)} to a number`);
}

/** Truth of a value; only errors stay errors. */
export function toBoolean(_environment: Environment, value: Value): boolean | ErrorValue {
  return truthOf(value);
}

function truthOf(value: Value): boolean | ErrorValue {
  if (value === null) return false;
  if (typeof value === "boolean") return value;
  if (typeof value === "string") return value !== "" && value.toLowerCase() !== "false";
  if (value instanceof Decimal) return !value.isZero();
  if (value instanceof ArrayValue) return value.items.length > 0;
  if (value instanceof ObjectValue) {
    const { defaultValue } = value;
    return defaultValue === undefined ? value.size > 0 : truthOf(defaultValue);
  }
  if (value instanceof ErrorValue) return value;
  return true;
}
