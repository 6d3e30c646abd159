import { cutText } from "../text/cut-text.js";

/** A value of `extra` or `embedded_data` as it is kept: no arrays, no null. */
export type StartParam = string | number | boolean | StartParams;

/** An object inside it, or all of it. Keys consist of letters, digits and underscores. */
export interface StartParams {
  readonly [key: string]: StartParam;
}

const keyMax = 255;
const textMax = 640;
const valuesMax = 256;

/**
 * The form in which `extra` and `embedded_data` of a flow start are kept and come back (service-api.md 2.12): in keys
 * every other character than an ASCII letter, digit or underscore becomes `_` (of keys that become the same, the last
 * wins), keys are cut to 255 and texts to 640 characters, arrays become objects keyed `0`, `1`…, null inside becomes the
 * text `None`. Only the first 256 values are kept, each object inside counting as one: that bounds the depth as well.
 *
 * @param value - what JSON.parse gave
 * @returns null for an empty value: `{}`, `[]`, `""`, null or nothing
 */
export function normaliseParams(value: unknown): StartParam | null {
  if (value === null || value === undefined || value === "") return null;
  if (typeof value === "object" && Object.keys(value).length === 0) return null;
  let left = valuesMax;

  const param = (from: unknown): StartParam => {
    if (typeof from === "string") return cutText(from, textMax);
    if (typeof from === "number" || typeof from === "boolean") return from;
    return typeof from === "object" && from !== null ? params(from) : "None";
  };
  const params = (from: object): StartParams => {
    const kept: [string, StartParam][] = [];
    for (const [key, member] of Object.entries(from)) {
      if (left === 0) break;
      left--;
      kept.push([cutText(key.replace(/[^A-Za-z0-9_]/gu, "_"), keyMax), param(member)]);
    }
    // Not by assignment: a key may be `__proto__`.
    return Object.fromEntries(kept);
  };
  return param(value);
}
