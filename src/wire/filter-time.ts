import { parseTimestamp } from "./timestamp.js";

/** Reads a time filter. Milliseconds since 1970; undefined when it is no time (service-api.md 1.7). */
export function parseFilterTime(text: string): number | undefined {
  return parseTimestamp(text);
}
