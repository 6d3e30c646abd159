import { ObjectValue, type Value } from "../values/value.js";

/** The key of JSON objects that holds their default (docs/reference/flows.md#types-and-conversion). */
export const defaultKey = "__default__";

/** An object of properties; the value under {@link defaultKey} is its default and no property. */
export function objectOf(properties: ReadonlyMap<string, Value>): ObjectValue {
  const defaultValue = properties.get(defaultKey);
  const entries = [...properties].filter(([name]) => name !== defaultKey);
  return new ObjectValue(Object.fromEntries(entries), defaultValue);
}
