import { DateTimeValue } from "./datetime-value.js";
import { Decimal } from "./decimal.js";
import { typeOf } from "./describe.js";
import { ErrorValue } from "./error-value.js";
import { nestingMax } from "./limits.js";
import { ArrayValue, FunctionValue, ObjectValue, type Value } from "./value.js";

/** Whether two values have the same type and content. The operator `=` compares text forms instead. */
export function isSame(first: Value, second: Value): boolean {
  return first === second || keyOf(first, 0) === keyOf(second, 0);
}

/** Each value once, where it first occurs. */
export function uniqueValues(values: readonly Value[]): Value[] {
  const byKey = new Map<string, Value>();
  for (const value of values) {
    const key = keyOf(value, 0);
    if (!byKey.has(key)) byKey.set(key, value);
  }
  return [...byKey.values()];
}

/** Values that are the same have the same key. */
function keyOf(value: Value, depth: number): string {
  if (depth > nestingMax) return "";
  if (value instanceof ArrayValue) return `array${framed(value.items.map((item) => keyOf(item, depth + 1)))}`;
  if (value instanceof ObjectValue) {
    const { defaultValue } = value;
    const parts = value.entries().flatMap(([name, part]) => [name, keyOf(part, depth + 1)]);
    return `object${framed(defaultValue === undefined ? parts : [...parts, keyOf(defaultValue, depth + 1)])}`;
  }
  return `${typeOf(value)} ${contentOf(value)}`;
}

/** Joins keys so that no two lists have the same text. */
function framed(keys: readonly string[]): string {
  return keys.map((key) => `${key.length}:${key}`).join("");
}

function contentOf(value: Exclude<Value, ArrayValue | ObjectValue>): string {
  if (value === null) return "";
  if (value instanceof Decimal) return value.toString();
  if (value instanceof ErrorValue) return value.message;
  if (value instanceof FunctionValue) return value.name;
  if (value instanceof DateTimeValue) return `${value.epochMs} ${value.nanosOfMs}`;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
