import { toBoolean, toText } from "../conversions.js";
import { ErrorValue } from "../values/error-value.js";
import type { FunctionValue } from "../values/value.js";
import { anyValue, defineFunction } from "./define.js";

/** Functions of truth and errors (docs/reference/flows.md#functions). */
export const logicFunctions: readonly FunctionValue[] = [
  defineFunction("if", { required: [toBoolean, anyValue, anyValue] }, (_environment, test, yes, no) =>
    test ? yes : no,
  ),
  defineFunction("and", { rest: anyValue, restAtLeast: 1 }, (environment, ...values) => {
    for (const value of values) {
      const truth = toBoolean(environment, value);
      if (truth !== true) return truth;
    }
    return true;
  }),
  defineFunction("or", { rest: anyValue, restAtLeast: 1 }, (environment, ...values) => {
    for (const value of values) {
      const truth = toBoolean(environment, value);
      if (truth !== false) return truth;
    }
    return false;
  }),
  defineFunction("is_error", { required: [anyValue] }, (_environment, value) => value instanceof ErrorValue),
  defineFunction("default", { required: [anyValue, anyValue] }, (environment, value, otherwise) => {
    const text = toText(environment, value);
    return text instanceof ErrorValue || text === "" ? otherwise : value;
  }),
];
