import type { ArrayValue } from "./array-value.js";
import type { DateValue, TimeValue } from "./date-values.js";
import type { DateTimeValue } from "./datetime-value.js";
import type { Decimal } from "./decimal.js";
import type { ErrorValue } from "./error-value.js";
import type { FunctionValue } from "./function-value.js";
import type { ObjectValue } from "./object-value.js";

/** A value of the template language: docs/reference/flows.md#types-and-conversion. Text is a string, truth a boolean. */
export type Value =
  | null
  | string
  | boolean
  | Decimal
  | DateValue
  | DateTimeValue
  | TimeValue
  | ArrayValue
  | ObjectValue
  | FunctionValue
  | ErrorValue;
