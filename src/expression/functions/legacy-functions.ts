import { toInteger, toNumber } from "../conversions.js";
import { toDateTime } from "../date-conversions.js";
import type { Environment } from "../environment.js";
import { checkedNumber } from "../values/decimal.js";
import { ErrorValue } from "../values/error-value.js";
import type { FunctionValue, Value } from "../values/value.js";
import { addToDateTime } from "./date-arithmetic.js";
import { anyValue, defineFunction } from "./define.js";

/** What migrated flows use for the `+` of legacy expressions (docs/reference/flows.md#legacy-expressions). */
export const legacyFunctions: readonly FunctionValue[] = [
  defineFunction("legacy_add", { required: [anyValue, anyValue] }, (environment, first, second) => {
    const firstDate = toDateTime(environment, first);
    const secondDate = toDateTime(environment, second);
    if (!(firstDate instanceof ErrorValue) && !(secondDate instanceof ErrorValue)) {
      return new ErrorValue("cannot operate on two dates");
    }
    const firstNumber = toNumber(environment, first);
    const secondNumber = toNumber(environment, second);
    if (!(firstDate instanceof ErrorValue) && !(secondNumber instanceof ErrorValue)) {
      return addToDateTime(firstDate, daysToAdd(environment, second), "D");
    }
    if (!(secondDate instanceof ErrorValue) && !(firstNumber instanceof ErrorValue)) {
      return addToDateTime(secondDate, daysToAdd(environment, first), "D");
    }
    if (firstNumber instanceof ErrorValue) return firstNumber;
    if (secondNumber instanceof ErrorValue) return secondNumber;
    return checkedNumber(firstNumber.plus(secondNumber));
  }),
];

/** Days to add; beyond 32 bits a number that leads out of range. */
function daysToAdd(environment: Environment, value: Value): number {
  const days = toInteger(environment, value);
  return days instanceof ErrorValue ? Number.MAX_SAFE_INTEGER : days;
}
