import { ArrayValue, Decimal, ObjectValue, type Value } from "../../expression/index.js";

/** JSON text as a value; null: no JSON. */
export function valueOfJson(text: string): Value {
  try {
    return valueOf(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Plain JSON as a value. */
export function valueOf(json: unknown): Value {
  if (json === null || json === undefined) return null;
  if (typeof json === "string" || typeof json === "boolean") return json;
  if (typeof json === "number") return new Decimal(json);
  if (Array.isArray(json)) return new ArrayValue(() => json.map(valueOf));
  if (typeof json !== "object") return null;
  return new ObjectValue(() => Object.fromEntries(Object.entries(json).map(([key, value]) => [key, valueOf(value)])));
}
