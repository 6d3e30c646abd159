import { DateTimeValue } from "./datetime-value.js";
import { Decimal } from "./decimal.js";
import { typeOf } from "./describe.js";
import { ErrorValue } from "./error-value.js";
import { nestingMax } from "./limits.js";
import { spendStep } from "./meter.js";
import { ArrayValue, FunctionValue, ObjectValue, type Value } from "./value.js";

/**
 * Whether one of the values has the same type and content as another. The operator `=` compares text forms instead.
 *
 * @returns undefined: the evaluation's work is used up
 */
export function includesValue(values: readonly Value[], sought: Value): boolean | undefined {
  const wanted = keyOf(sought, 0);
  for (const value of values) {
    const key = value === sought ? wanted : keyOf(value, 0);
    if (wanted === undefined || key === undefined) return undefined;
    if (key === wanted) return true;
  }
  return false;
}

/** Each value once, where it first occurs; undefined: the evaluation's work is used up. */
export function uniqueValues(values: readonly Value[]): Value[] | undefined {
  const byKey = new Map<string, Value>();
  for (const value of values) {
    const key = keyOf(value, 0);
    if (key === undefined) return undefined;
    if (!byKey.has(key)) byKey.set(key, value);
  }
  return [...byKey.values()];
}

/** Values that are the same have the same key; undefined: the evaluation's work is used up. */
function keyOf(value: Value, depth: number): string | undefined {
  if (depth > nestingMax) return "";
  if (value instanceof ArrayValue) return framed("array", value.items, depth);
  if (value instanceof ObjectValue) {
    const { defaultValue } = value;
    const parts = value.entries().flat();
    return framed("object", defaultValue === undefined ? parts : [...parts, defaultValue], depth);
  }
  return counted(`${typeOf(value)} ${contentOf(value)}`);
}

/** Joins the keys of parts so that no two lists have the same text. */
function framed(kind: string, parts: readonly Value[], depth: number): string | undefined {
  let joined = kind;
  for (const part of parts) {
    const key = keyOf(part, depth + 1);
    if (key === undefined) return undefined;
    joined += `${key.length}:${key}`;
  }
  return counted(joined);
}

function counted(key: string): string | undefined {
  return spendStep(key.length) ? key : undefined;
}

function contentOf(value: Exclude<Value, ArrayValue | ObjectValue>): string {
  if (value === null) return "";
  if (value instanceof Decimal) return value.toString();
  if (value instanceof ErrorValue) return value.message;
  if (value instanceof FunctionValue) return value.name;
  if (value instanceof DateTimeValue) return `${value.epochMs} ${value.nanosOfMs}`;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
