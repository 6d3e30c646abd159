import type { Environment } from "./environment.js";
import { DateValue, TimeValue } from "./values/date-values.js";
import { DateTimeValue } from "./values/datetime-value.js";
import { Decimal, readDecimal } from "./values/decimal.js";
import { describe } from "./values/describe.js";
import { ErrorValue } from "./values/error-value.js";
import { textOf } from "./values/text-form.js";
import { ArrayValue, type FunctionValue, ObjectValue, type Value } from "./values/value.js";

const emptyArray = new ArrayValue([]);
const emptyObject = new ObjectValue({});

/** Text form of a value (docs/reference/flows.md#types-and-conversion). An error stays one. */
export function toText(_environment: Environment, value: Value): string | ErrorValue {
  return textOf(value);
}

/** Number of a value: of a number, or of a text that is a plain number. Null and booleans are none. */
export function toNumber(_environment: Environment, value: Value): Decimal | ErrorValue {
  const reduced = withoutDefault(value);
  if (reduced instanceof Decimal || reduced instanceof ErrorValue) return reduced;
  const number = typeof reduced === "string" ? readDecimal(reduced) : undefined;
  return number ?? new ErrorValue(`unable to convert ${describe(reduced)} to a number`);
}

/** Whole part of a number; it must fit into 32 bits. */
export function toInteger(environment: Environment, value: Value): number | ErrorValue {
  const number = toNumber(environment, value);
  if (number instanceof ErrorValue) return number;
  const whole = number.trunc().toNumber();
  const isInRange = whole >= -2_147_483_648 && whole <= 2_147_483_647;
  return isInRange ? whole + 0 : new ErrorValue(`number value ${describe(number)} is out of range for an integer`);
}

/** Truth of a value (docs/reference/flows.md#types-and-conversion). An error stays one. */
export function toBoolean(_environment: Environment, value: Value): boolean | ErrorValue {
  const reduced = withoutDefault(value);
  if (reduced === null) return false;
  if (typeof reduced === "boolean") return reduced;
  if (typeof reduced === "string") return reduced !== "" && reduced.toLowerCase() !== "false";
  if (reduced instanceof ErrorValue) return reduced;
  if (reduced instanceof Decimal) return !reduced.isZero();
  if (reduced instanceof ArrayValue) return reduced.items.length > 0;
  if (reduced instanceof ObjectValue) return reduced.size > 0;
  return !isZeroTime(reduced);
}

function isZeroTime(value: DateValue | DateTimeValue | TimeValue | FunctionValue): boolean {
  if (value instanceof TimeValue) return value.toString() === "00:00:00.000000";
  if (value instanceof DateTimeValue) return value.toString() === "0001-01-01T00:00:00.000000Z";
  return value instanceof DateValue && value.year === 0 && value.month === 0;
}

/** An array as it is, null as an empty one. */
export function toArray(_environment: Environment, value: Value): ArrayValue | ErrorValue {
  if (value instanceof ArrayValue || value instanceof ErrorValue) return value;
  return value === null ? emptyArray : new ErrorValue(`unable to convert ${describe(value)} to an array`);
}

/** An object as it is, null as an empty one. */
export function toObject(_environment: Environment, value: Value): ObjectValue | ErrorValue {
  if (value instanceof ObjectValue || value instanceof ErrorValue) return value;
  return value === null ? emptyObject : new ErrorValue(`unable to convert ${describe(value)} to an object`);
}

/** The value to convert in place of an object: its default, if it has one. */
export function withoutDefault(value: Value): Value {
  let reduced = value;
  for (let depth = 0; depth < 100 && reduced instanceof ObjectValue; depth++) {
    const { defaultValue } = reduced;
    if (defaultValue === undefined) break;
    reduced = defaultValue;
  }
  return reduced;
}
