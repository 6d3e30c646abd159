import { LabError } from "../../base/index.js";
import { parseDuration } from "../../scenario/index.js";

/** A span of virtual time: whole milliseconds, or a text such as `90s`, `5m`, `1h30m`, `2d`. */
export type Span = string | number;

/**
 * A span in whole milliseconds.
 *
 * @param name - of the argument, for the error
 * @throws LabError `bad-options`
 */
export function spanMs(span: Span, name: string): number {
  const ms = typeof span === "number" ? span : (parseDuration(span) ?? Number.NaN);
  if (Number.isSafeInteger(ms) && ms >= 0) return ms;
  const got = typeof span === "number" ? String(span) : `'${span}'`;
  throw new LabError("bad-options", `'${name}' must be a duration such as 90s, 5m or 1h30m, got ${got}`, {
    hint: "a number counts milliseconds",
  });
}
