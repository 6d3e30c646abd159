import type { DateTimeValue } from "../values/datetime-value.js";
import type { Environment } from "../environment.js";
import { parseDateTime } from "../parsing/index.js";
import { ArrayValue, ObjectValue, type Value } from "../values/value.js";

/** Roots and properties whose content came from outside: texts in them stay texts. */
const foreign: readonly string[] = ["webhook", "legacy_extra", "extra", "params", "globals"];
const isoDateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * A context from JSON (docs/reference/flows.md#context-roots), in which datetimes are ISO 8601 texts: those under names
 * such as `created_on`, and the values of contact fields. All other texts stay texts, as results and answers of
 * webhooks are.
 */
export function contextOf(environment: Environment, json: ObjectValue): ObjectValue {
  return convertObject(environment, json, { areFields: false });
}

function convertObject(
  environment: Environment,
  object: ObjectValue,
  { areFields }: { readonly areFields: boolean },
): ObjectValue {
  const convert = (name: string, value: Value): Value => {
    const lower = name.toLowerCase();
    if (foreign.includes(lower)) return value;
    const isDateTime = areFields || lower.endsWith("_on");
    return convertPart(environment, value, { isDateTime, areFields: lower === "fields" });
  };
  return new ObjectValue(
    () => Object.fromEntries(object.entries().map(([name, value]) => [name, convert(name, value)])),
    object.defaultValue,
  );
}

function convertPart(
  environment: Environment,
  value: Value,
  { isDateTime, areFields }: { readonly isDateTime: boolean; readonly areFields: boolean },
): Value {
  if (typeof value === "string") return isDateTime ? dateTimeOrText(environment, value) : value;
  if (value instanceof ObjectValue) return convertObject(environment, value, { areFields });
  if (!(value instanceof ArrayValue)) return value;
  return new ArrayValue(() =>
    value.items.map((item) => convertPart(environment, item, { isDateTime: false, areFields: false })),
  );
}

function dateTimeOrText(environment: Environment, text: string): DateTimeValue | string {
  if (!isoDateTime.test(text)) return text;
  return parseDateTime(environment, text, { fillTime: false }) ?? text;
}
