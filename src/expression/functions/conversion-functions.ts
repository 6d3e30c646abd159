import { toBoolean, toNumber, toText } from "../conversions.js";
import { toDate, toDateTime, toTime } from "../date-conversions.js";
import { objectOf } from "../json/default-key.js";
import { ErrorValue } from "../values/error-value.js";
import { ArrayValue, type FunctionValue, type Value } from "../values/value.js";
import { anyValue, defineFunction } from "./define.js";

/** Functions that convert values and make arrays and objects (docs/reference/flows.md#functions). */
export const conversionFunctions: readonly FunctionValue[] = [
  defineFunction("text", { required: [toText] }, (_environment, value) => value),
  defineFunction("boolean", { required: [toBoolean] }, (_environment, value) => value),
  defineFunction("number", { required: [toNumber] }, (_environment, value) => value),
  defineFunction("date", { required: [toDate] }, (_environment, value) => value),
  defineFunction("datetime", { required: [toDateTime] }, (_environment, value) => value),
  defineFunction("time", { required: [toTime] }, (_environment, value) => value),
  defineFunction("array", { rest: anyValue }, (_environment, ...items) => firstError(items) ?? new ArrayValue(items)),
  defineFunction("object", { rest: anyValue }, (environment, ...pairs) => {
    const error = firstError(pairs);
    if (error !== undefined) return error;
    if (pairs.length % 2 !== 0) return new ErrorValue("requires an even number of arguments");
    const properties = new Map<string, Value>();
    for (let index = 0; index < pairs.length; index += 2) {
      const name = toText(environment, pairs[index] ?? null);
      if (name instanceof ErrorValue) return name;
      properties.set(name, pairs[index + 1] ?? null);
    }
    return objectOf(properties);
  }),
];

function firstError(values: readonly Value[]): ErrorValue | undefined {
  return values.find((value) => value instanceof ErrorValue);
}
