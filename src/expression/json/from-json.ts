import { checkedNumber, Decimal } from "../values/decimal.js";
import { ErrorValue } from "../values/error-value.js";
import { ArrayValue, ObjectValue, type Value } from "../values/value.js";
import { defaultKey } from "./default-key.js";

/**
 * The value of plain JSON data: of records, arrays, texts, numbers, booleans, null. Parts are made on first use. The key
 * `__default__` of an object is its default. Anything else, such as undefined, is null.
 */
export function fromJson(json: unknown): Value {
  if (typeof json === "string" || typeof json === "boolean") return json;
  if (typeof json === "number" || typeof json === "bigint") {
    return Number.isNaN(json) ? new ErrorValue("not a number") : checkedNumber(new Decimal(json.toString()));
  }
  if (Array.isArray(json)) return new ArrayValue(() => json.map(fromJson));
  return typeof json === "object" && json !== null ? objectFrom(json as Readonly<Record<string, unknown>>) : null;
}

function objectFrom(json: Readonly<Record<string, unknown>>): ObjectValue {
  const properties = (): Record<string, Value> => {
    const entries = Object.entries(json).filter(([name]) => name !== defaultKey);
    return Object.fromEntries(entries.map(([name, part]) => [name, fromJson(part)]));
  };
  return Object.hasOwn(json, defaultKey)
    ? new ObjectValue(properties, () => fromJson(json[defaultKey]))
    : new ObjectValue(properties);
}
