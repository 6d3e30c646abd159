import { ownValue } from "../../wire/index.js";

/** An object of parsed JSON. */
export type LegacyJson = Record<string, unknown>;

/** A value as an object; undefined for other values. */
export function mapOf(value: unknown): LegacyJson | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as LegacyJson) : undefined;
}

/** The items of a list. In real exports an object with numeric keys, or null, may stand in its place. */
export function itemsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  const map = mapOf(value);
  return map === undefined ? [] : Object.values(map);
}

/** The objects among the {@link itemsOf} a list. */
export function mapsOf(value: unknown): LegacyJson[] {
  return itemsOf(value)
    .map(mapOf)
    .filter((map) => map !== undefined);
}

/** The text of a text, number or boolean; empty for other values. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

/** A whole number, also from text; fractions are cut off. 0 for other values. */
export function wholeNumberOf(value: unknown): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? Math.trunc(number) || 0 : 0;
}

/** Own properties that have a value, without inherited ones. */
export function valueAt(map: LegacyJson | undefined, key: string): unknown {
  return ownValue(map, key) ?? undefined;
}

/** Levels of objects and lists that a definition may have; real ones have at most 10. */
const mostLevels = 100;

/** Whether a value is nested too deep for recursive functions. This check itself is iterative. */
export function isTooDeep(value: unknown): boolean {
  let layer: unknown[] = [value];
  for (let level = 0; level <= mostLevels; level++) {
    layer = layer.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
    if (layer.length === 0) return false;
  }
  return true;
}

/** A copy of parsed JSON in which `rewrite` replaced each text, but not the keys. */
export function mapTexts(value: unknown, rewrite: (text: string) => string): unknown {
  if (typeof value === "string") return rewrite(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, rewrite));
  const map = mapOf(value);
  return map === undefined ? value : mapMap(map, rewrite);
}

/** {@link mapTexts} of an object. */
export function mapMap(map: LegacyJson, rewrite: (text: string) => string): LegacyJson {
  return Object.fromEntries(Object.entries(map).map(([key, one]) => [key, mapTexts(one, rewrite)]));
}
