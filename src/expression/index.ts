/**
 * The template language of flows. A template is scanned into literals and expressions, each expression is parsed
 * once, and evaluated against a context. Total: every input gives a value, failures are error values.
 */
export * from "./environment.js";
export * from "./evaluate.js";
export { toBoolean, toNumber, toText } from "./conversions.js";
export { toDateTime } from "./date-conversions.js";
export { ArrayValue, ObjectValue, objectValue, type Value } from "./values/value.js";
export { DateTimeValue } from "./values/datetime-value.js";
export { Decimal } from "./values/decimal.js";
export { typeOf } from "./values/describe.js";
export { ErrorValue } from "./values/error-value.js";
export { spend as spendWork, withBudget, WorkBudget } from "./values/meter.js";
export { callFunction, functionNames, isKnownFunction } from "./functions/registry.js";
export * from "./parsing/index.js";
export { testNames } from "./tests/index.js";
export { contextOf } from "./json/context.js";
export { fromJson } from "./json/from-json.js";
export { jsonText } from "./json/json-text.js";
export { readJson } from "./json/read-json.js";
export { toJson } from "./json/to-json.js";
export { neededReferencesOf, referencesOf } from "./references.js";
export { type TemplateFault, expressionsOf, literalsOf, templateFaults } from "./template-faults.js";
