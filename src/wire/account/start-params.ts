import { cutText } from "../text/cut-text.js";

/** A stored value of `extra` or `embedded_data`: no arrays, no null. */
export type StartParam = string | number | boolean | StartParams;

/** A nested object, or the whole value. Keys consist of letters, digits and underscores. */
export interface StartParams {
  readonly [key: string]: StartParam;
}

const keyMax = 255;
const textMax = 640;
const valuesMax = 256;

/**
 * Normalises `extra` and `embedded_data` of a flow start as the service stores them
 * (docs/reference/service-api.md#flow-starts). In keys, every character except ASCII letters, digits and `_` becomes
 * `_`; of equal keys the last wins. Keys are cut to 255 and texts to 640 characters. Arrays become objects keyed `0`,
 * `1`…; a nested null becomes the text `None`. Only the first 256 values are kept, a nested object counting as one,
 * which also bounds the depth.
 *
 * @param value - a result of JSON.parse
 * @returns null for an empty value: `{}`, `[]`, `""`, null or nothing
 */
export function normaliseParams(value: unknown): StartParam | null {
  if (value === null || value === undefined || value === "") return null;
  if (typeof value === "object" && Object.keys(value).length === 0) return null;
  let remaining = valuesMax;

  const param = (from: unknown): StartParam => {
    if (typeof from === "string") return cutText(from, textMax);
    if (typeof from === "number" || typeof from === "boolean") return from;
    return typeof from === "object" && from !== null ? params(from) : "None";
  };
  const params = (from: object): StartParams => {
    const kept: [string, StartParam][] = [];
    for (const [key, member] of Object.entries(from)) {
      if (remaining === 0) break;
      remaining--;
      kept.push([cutText(key.replace(/[^A-Za-z0-9_]/gu, "_"), keyMax), param(member)]);
    }
    // fromEntries, because assignment to a key `__proto__` would set the prototype.
    return Object.fromEntries(kept);
  };
  return param(value);
}
