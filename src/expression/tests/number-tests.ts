import { toNumber, toText } from "../conversions.js";
import type { Environment } from "../environment.js";
import { defineFunction } from "../functions/define.js";
import { findNumbers } from "../parsing/index.js";
import type { Decimal } from "../values/decimal.js";
import type { FunctionValue, ObjectValue } from "../values/value.js";
import { matched, noMatch } from "./result.js";

/** Units of work for a character: up to all numbers of a text are read. */
const work = 0.7;

/** Tests of the numbers in a text (docs/reference/flows.md#tests). */
export const numberTests: readonly FunctionValue[] = [
  defineFunction("has_number", { required: [toText], work }, (environment, text) =>
    firstNumber(environment, text, () => true),
  ),
  comparison("has_number_lt", (value, limit) => value.lt(limit)),
  comparison("has_number_lte", (value, limit) => value.lte(limit)),
  comparison("has_number_eq", (value, limit) => value.eq(limit)),
  comparison("has_number_gte", (value, limit) => value.gte(limit)),
  comparison("has_number_gt", (value, limit) => value.gt(limit)),
  defineFunction(
    "has_number_between",
    { required: [toText, toNumber, toNumber], work },
    (environment, text, low, high) => firstNumber(environment, text, (value) => value.gte(low) && value.lte(high)),
  ),
];

function comparison(name: string, holds: (value: Decimal, limit: Decimal) => boolean): FunctionValue {
  return defineFunction(name, { required: [toText, toNumber], work }, (environment, text, limit) =>
    firstNumber(environment, text, (value) => holds(value, limit)),
  );
}

/** The first number in a text that meets a condition. */
function firstNumber({ numberFormat }: Environment, text: string, holds: (value: Decimal) => boolean): ObjectValue {
  for (const value of findNumbers(text, numberFormat)) {
    if (holds(value)) return matched(value);
  }
  return noMatch;
}
