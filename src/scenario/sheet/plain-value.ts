import type { Tree } from "./document.js";
import { isList, isMap, type Place } from "./written.js";

/** A value as JSON has it, numbers and flags included: for what is handed on as it was written. */
export function jsonOf({ value, place }: Tree): unknown {
  const inner = (key: string | number): Place => place.inner.get(String(key)) ?? place;
  if (isList(value)) return value.map((item, index) => jsonOf({ value: item, place: inner(index) }));
  if (!isMap(value)) return value === null ? null : (place.plain ?? value);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, jsonOf({ value: item, place: inner(key) })]),
  );
}
