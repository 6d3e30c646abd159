/**
 * The template language of flows. A template is scanned into literals and expressions, each expression is parsed
 * once, and evaluated against a context. Total: every input gives a value, failures are error values.
 */
export * from "./environment.js";
export * from "./evaluate.js";
export * from "./conversions.js";
export { ArrayValue, FunctionValue, ObjectValue, lazyObject, objectValue, type Value } from "./values/value.js";
export { DateValue, TimeValue } from "./values/date-values.js";
export { DateTimeValue } from "./values/datetime-value.js";
export { Decimal } from "./values/decimal.js";
export { describe, typeOf, type TypeName } from "./values/describe.js";
export { ErrorValue } from "./values/error-value.js";
export { callFunction, isKnownFunction } from "./functions/registry.js";
export * from "./parsing/index.js";
