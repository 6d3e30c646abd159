import { readIsoTime } from "./iso-time.js";

/** An offset whose `+` a query string has turned into a space: two or four digits after a time. */
const spacedOffset = /^(\S*T\S+|\S+ \S+) (\d\d(?::?\d\d)?)$/i;

/**
 * Reads a time filter (`before`, `after`) in any form of ISO 8601 (docs/reference/service-api.md#timestamps). Without a
 * zone it is UTC; a space counts as the `T`, or as the `+` of an offset.
 *
 * @returns milliseconds since 1970, with a fraction where the text has microseconds; undefined when the text is not a
 * time
 */
export function parseFilterTime(text: string): number | undefined {
  const time = readIsoTime(text.trim().replace(spacedOffset, "$1+$2"));
  return time && time.localMs - (time.offsetMs ?? 0) + time.fractionMs;
}
