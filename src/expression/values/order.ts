import { DateValue, TimeValue } from "./date-values.js";
import { DateTimeValue } from "./datetime-value.js";
import { Decimal } from "./decimal.js";
import { describe, typeOf } from "./describe.js";
import { ErrorValue } from "./error-value.js";
import { spend, workExceeded } from "./meter.js";
import { compareTexts } from "./text-order.js";
import { ArrayValue, type Value } from "./value.js";

const orderedTypes = ["text", "number", "boolean", "date", "datetime", "time"];

/** Units of work to compare two items, and two characters. */
const unitsOfComparison = 0.25;
const unitsOfCharacter = 0.002;

/** An array in ascending order. Its items must have one type, which has an order. */
export function sortedValues(array: ArrayValue): Value {
  const [first] = array.items;
  const rounds = Math.ceil(Math.log2(array.items.length + 1));
  const units = (item: Value): number =>
    unitsOfComparison + (typeof item === "string" ? item.length * unitsOfCharacter : 0);
  if (!spend(array.items.reduce((sum, item) => sum + rounds * units(item), 0))) return workExceeded;
  for (const item of array.items) {
    if (!orderedTypes.includes(typeOf(item))) return new ErrorValue(`${describe(item)} isn't a comparable type`);
    if (typeOf(item) !== typeOf(first ?? null)) return new ErrorValue("can't sort values of different types");
  }
  return new ArrayValue(array.items.toSorted(compare));
}

function compare(first: Value, second: Value): number {
  if (typeof first === "string" && typeof second === "string") return compareTexts(first, second);
  if (first instanceof Decimal && second instanceof Decimal) return first.comparedTo(second);
  if (first instanceof DateTimeValue && second instanceof DateTimeValue) return first.compare(second);
  if (first instanceof DateValue && second instanceof DateValue) {
    return first.year - second.year || first.month - second.month || first.day - second.day;
  }
  if (first instanceof TimeValue && second instanceof TimeValue) return nanosOf(first) - nanosOf(second);
  return Number(first) - Number(second);
}

function nanosOf({ hour, minute, second, nanosecond }: TimeValue): number {
  return ((hour * 60 + minute) * 60 + second) * 1_000_000_000 + nanosecond;
}
