import { cutText } from "../../wire/index.js";
import { ArrayValue, FunctionValue, type Value } from "./value.js";
import { DateTimeValue } from "./datetime-value.js";
import { DateValue, TimeValue } from "./date-values.js";
import { Decimal, decimalText } from "./decimal.js";
import { ErrorValue } from "./error-value.js";

/** Name of a value's type in answers and errors. */
type TypeName =
  "null" | "text" | "boolean" | "number" | "date" | "datetime" | "time" | "array" | "object" | "function" | "error";

/** The type of a value. */
export function typeOf(value: Value): TypeName {
  if (value === null) return "null";
  if (typeof value === "string") return "text";
  if (typeof value === "boolean") return "boolean";
  if (value instanceof Decimal) return "number";
  if (value instanceof DateTimeValue) return "datetime";
  if (value instanceof DateValue) return "date";
  if (value instanceof TimeValue) return "time";
  if (value instanceof ArrayValue) return "array";
  if (value instanceof FunctionValue) return "function";
  if (value instanceof ErrorValue) return "error";
  return "object";
}

/** Characters of a text that an error shows. */
export const shownMax = 200;

/** A value as errors name it: text in quotes, other simple values plain, the rest by type. */
export function describe(value: Value): string {
  if (value === null) return "null";
  if (typeof value === "string") return JSON.stringify(cutText(value, shownMax));
  if (typeof value === "boolean") return String(value);
  if (value instanceof Decimal) return decimalText(value);
  if (value instanceof FunctionValue) return functionName(value);
  return typeOf(value);
}

/** The name of a function in texts. */
export function functionName(value: FunctionValue): string {
  return value.name === "" ? "<anon>" : value.name;
}
