import { toArray, toBoolean, toInteger, toNumber, toObject, toText } from "../conversions.js";
import type { Environment } from "../environment.js";
import { checkedNumber, Decimal } from "../values/decimal.js";
import { includesValue, uniqueValues } from "../values/equality.js";
import { ErrorValue } from "../values/error-value.js";
import { itemsMax, textLengthMax, textTooLong, tooManyItems } from "../values/limits.js";
import { spend, workExceeded } from "../values/meter.js";
import { sortedValues } from "../values/order.js";
import { ArrayValue, FunctionValue, ObjectValue, type Value } from "../values/value.js";
import { anyValue, defineFunction } from "./define.js";

/** Units of work to convert an item, and to add it to others. */
const unitsOfConversion = 1.2;

/** Functions of arrays and objects (docs/reference/flows.md#functions). */
export const arrayFunctions: readonly FunctionValue[] = [
  defineFunction("count", { required: [valueOrError] }, (_environment, value) => {
    if (value === null) return new Decimal(0);
    if (value instanceof ArrayValue) return new Decimal(value.items.length);
    return value instanceof ObjectValue ? new Decimal(value.size) : new ErrorValue("value isn't countable");
  }),
  defineFunction("join", { required: [toArray, toText] }, (environment, array, separator) => {
    const texts = convertAll(environment, array, toText);
    if (texts instanceof ErrorValue) return texts;
    const length = texts.reduce((sum, text) => sum + text.length + separator.length, 0);
    return length > textLengthMax ? textTooLong : texts.join(separator);
  }),
  defineFunction("reverse", { required: [toArray] }, (_environment, array) => new ArrayValue(array.items.toReversed())),
  defineFunction("sort", { required: [toArray] }, (_environment, array) => sortedValues(array)),
  defineFunction("sum", { required: [toArray] }, (environment, array) => {
    const numbers = convertAll(environment, array, toNumber);
    if (numbers instanceof ErrorValue) return numbers;
    return checkedNumber(numbers.reduce((sum, number) => sum.plus(number), new Decimal(0)));
  }),
  defineFunction("unique", { required: [toArray] }, (_environment, array) => {
    const values = uniqueValues(array.items);
    return values === undefined ? workExceeded : new ArrayValue(values);
  }),
  defineFunction("concat", { required: [toArray, toArray] }, (_environment, first, second) =>
    first.items.length + second.items.length > itemsMax
      ? tooManyItems
      : new ArrayValue([...first.items, ...second.items]),
  ),
  defineFunction(
    "contains",
    { required: [toArray, valueOrError] },
    (_environment, array, value) => includesValue(array.items, value) ?? workExceeded,
  ),
  defineFunction(
    "slice",
    { required: [toArray, toInteger], optional: [toInteger] },
    (_environment, array, start, end) => new ArrayValue(array.items.slice(start, end)),
  ),
  defineFunction("filter", { required: [toArray, toFunction] }, (environment, array, test) => {
    const kept: Value[] = [];
    for (const item of array.items) {
      const result = toBoolean(environment, test.call(environment, [item]));
      if (result instanceof ErrorValue) return result;
      if (result) kept.push(item);
    }
    return new ArrayValue(kept);
  }),
  defineFunction(
    "foreach",
    { required: [toArray, toFunction], rest: anyValue },
    (environment, array, make, ...args) => {
      const made = callForAll(environment, array.items, make, args);
      return made instanceof ErrorValue ? made : new ArrayValue(made);
    },
  ),
  defineFunction(
    "foreach_value",
    { required: [toObject, toFunction], rest: anyValue },
    (environment, object, make, ...args) => {
      const entries = object.entries();
      const made = callForAll(
        environment,
        entries.map(([, value]) => value),
        make,
        args,
      );
      if (made instanceof ErrorValue) return made;
      return new ObjectValue(Object.fromEntries(entries.map(([name], index) => [name, made[index] ?? null])));
    },
  ),
  defineFunction("extract", { required: [toObject, toText] }, (_environment, object, name) => object.get(name) ?? null),
  defineFunction(
    "extract_object",
    { required: [toObject], rest: toText, restAtLeast: 1 },
    (_environment, object, ...names) =>
      new ObjectValue(Object.fromEntries(names.map((name) => [name, object.get(name) ?? null]))),
  ),
  defineFunction(
    "keys",
    { required: [toObject] },
    (_environment, object) => new ArrayValue(object.entries().map(([name]) => name)),
  ),
];

/** The value as it is; an error fails the call. */
function valueOrError(_environment: Environment, value: Value): Value {
  return value;
}

function toFunction(_environment: Environment, value: Value): FunctionValue | ErrorValue {
  if (value instanceof FunctionValue || value instanceof ErrorValue) return value;
  return new ErrorValue("requires an function as its second argument");
}

function convertAll<T>(
  environment: Environment,
  array: ArrayValue,
  convert: (environment: Environment, value: Value) => T | ErrorValue,
): T[] | ErrorValue {
  const converted: T[] = [];
  for (const item of array.items) {
    if (!spend(unitsOfConversion)) return workExceeded;
    const result = convert(environment, item);
    if (result instanceof ErrorValue) return result;
    converted.push(result);
  }
  return converted;
}

/** Calls a function with each value and the further arguments. The first error ends it. */
function callForAll(
  environment: Environment,
  values: readonly Value[],
  make: FunctionValue,
  args: readonly Value[],
): Value[] | ErrorValue {
  const made: Value[] = [];
  let length = 0;
  for (const value of values) {
    const result = make.call(environment, [value, ...args]);
    if (result instanceof ErrorValue) return result;
    if (typeof result === "string") length += result.length;
    if (length > textLengthMax) return textTooLong;
    made.push(result);
  }
  return made;
}
