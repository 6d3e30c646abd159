import type { ValueTree } from "./document.js";
import { isList, isMap, type Location } from "./raw-value.js";

/** A value as JSON has it, with numbers and flags, for data that is passed on as it is. */
export function plainValueOf({ value, location }: ValueTree): unknown {
  const inner = (key: string | number): Location => location.inner.get(String(key)) ?? location;
  if (isList(value)) return value.map((item, index) => plainValueOf({ value: item, location: inner(index) }));
  if (!isMap(value)) return value === null ? null : (location.plain ?? value);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, plainValueOf({ value: item, location: inner(key) })]),
  );
}
