import type { JsonCondition } from "../../scenario/index.js";
import { compare } from "../compare.js";
import { patternMatcher } from "../pattern-matcher.js";

/** The value at a path of a JSON text; `isThere` is false where a key or an index is missing. */
export interface JsonReading {
  readonly isThere: boolean;
  readonly value: unknown;
}

/** Reads the value at a path. `length` of a list or a text is how long it is. */
export function readJson(json: unknown, path: JsonCondition["path"]): JsonReading {
  let value = json;
  for (const step of path) {
    const next = stepInto(value, step);
    if (next === undefined) return { isThere: false, value: undefined };
    value = next.value;
  }
  return { isThere: true, value };
}

function stepInto(value: unknown, step: string | number): { readonly value: unknown } | undefined {
  if (Array.isArray(value)) {
    if (step === "length") return { value: value.length };
    if (typeof step === "string") return undefined;
    const index = step < 0 ? value.length + step : step;
    return index >= 0 && index < value.length ? { value: value[index] as unknown } : undefined;
  }
  if (typeof value === "string") return step === "length" ? { value: value.length } : undefined;
  if (!isObject(value) || typeof step === "number" || !Object.hasOwn(value, step)) return undefined;
  return { value: value[step] };
}

/**
 * Whether what was read meets a condition. A missing value equals `null`. Texts and numbers have an order, each among
 * their own kind.
 */
export function holdsIn({ isThere, value }: JsonReading, { op, value: wanted, pattern }: JsonCondition): boolean {
  if (pattern !== undefined) {
    const matches = isThere && !isObject(value) && patternMatcher(pattern, "contained")(asText(value));
    return matches === (op === "==");
  }
  if (op === undefined) return isThere && value !== false && value !== null;
  const found = isThere ? value : null;
  if (op === "==" || op === "!=") return isSame(found, wanted) === (op === "==");
  if (typeof found === "number" && typeof wanted === "number") return compare(found, op, wanted);
  if (typeof found === "string" && typeof wanted === "string") return compare(order(found, wanted), op, 0);
  return false;
}

function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Whether two JSON values are equal; the order of keys does not matter. */
function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
