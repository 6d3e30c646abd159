import { checkRange } from "./number.js";
import { scalar } from "./scalar.js";
import { describeValue, type Read, type ReportProblem } from "../../sheet/raw-value.js";

const unitMs = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const;
type Unit = keyof typeof unitMs;

/** Ten years: longer than any scenario, short enough for exact sums of milliseconds. */
export const longestMs: number = 3650 * unitMs.d;

/** A hundred years: a phone that wakes in 1970 is behind by more than fifty. */
export const longestSkewMs: number = 36_500 * unitMs.d;

/**
 * `250ms` `90s` `5m` `1h30m` `2d`, with a leading minus for negative durations.
 *
 * @returns milliseconds, with a fraction where the text has one; undefined when it is not spelled as a duration
 */
export function parseDuration(text: string): number | undefined {
  if (!/^[+-]?(\d+(\.\d+)?(ms|[dhms]))+$/.test(text)) return undefined;
  let totalMs = 0;
  let last = Infinity;
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[dhms])/g)) {
    const size = unitMs[unit as Unit];
    if (size >= last) return undefined; // 30m1h, 5m5m
    last = size;
    totalMs += Number(number) * size;
  }
  const roundedMs = Math.round(totalMs * 1000) / 1000; // 1.1s is 1100, not 1100.0000000000002
  return text.startsWith("-") ? -roundedMs : roundedMs;
}

/** Whole milliseconds as a scenario file spells them: `1h30m`. For text for readers see `readableDuration`. */
export function durationLiteral(ms: number): string {
  if (ms === 0) return "0s";
  let left = Math.abs(ms);
  let text = ms < 0 ? "-" : "";
  for (const unit of ["d", "h", "m", "s", "ms"] as const) {
    const count = unit === "ms" ? left : Math.floor(left / unitMs[unit]);
    if (count > 0) text += `${count}${unit}`;
    left -= count * unitMs[unit];
  }
  return text;
}

/** A duration in whole milliseconds, within bounds. */
export function readDuration(bounds: { readonly minMs?: number; readonly maxMs?: number } = {}): Read<number> {
  const { minMs = 0, maxMs = longestMs } = bounds;
  return scalar("a duration such as 90s or 1h30m", (text, report) =>
    durationOf(text, { min: minMs, max: maxMs }, report),
  );
}

function durationOf(text: string, bounds: { min: number; max: number }, report: ReportProblem): number | undefined {
  const ms = parseDuration(text);
  if (ms === undefined) {
    const numeric = /\d/.test(text);
    report({
      code: numeric ? "wrong-unit" : "bad-value",
      message: `must be a duration such as 90s or 1h30m, got ${describeValue(text)}`,
      hint: durationHint(text),
    });
    return undefined;
  }
  if (!Number.isInteger(ms)) {
    report({
      code: "bad-value",
      message: `must be whole milliseconds, got ${text}`,
      hint: `write ${Math.round(ms)}ms`,
    });
    return undefined;
  }
  return checkRange(ms, bounds, report, text, durationLiteral);
}

const unitWords: Readonly<Record<string, Unit>> = {
  ms: "ms", msec: "ms", msecs: "ms", millisecond: "ms", milliseconds: "ms",
  s: "s", sec: "s", secs: "s", second: "s", seconds: "s",
  m: "m", min: "m", mins: "m", minute: "m", minutes: "m",
  h: "h", hr: "h", hrs: "h", hour: "h", hours: "h",
  d: "d", day: "d", days: "d",
}; // prettier-ignore

/** The hint for an invalid duration: the likely meaning in the right spelling, else the list of units. */
export function durationHint(text: string): string {
  const units = "the units are ms, s, m, h and d, the larger first: 1h30m";
  const sign = text.startsWith("-") ? "-" : "";
  const parts = [...text.toLowerCase().matchAll(/(\d+(?:\.\d+)?)\s*([a-z]*)/g)];
  const ago = /^(.*\S)\s+ago$/i.exec(text)?.[1];
  if (ago !== undefined && parseDuration(ago) !== undefined) return `write -${ago}`;
  if (text.includes("..")) return "it is one value, not a range";
  const weeks = /^(\d+)\s*w(eeks?)?$/i.exec(text);
  if (weeks !== null) return `write ${Number(weeks[1]) * 7}d`;
  const clock = /^(\d+):([0-5]\d)$/.exec(text);
  if (clock !== null)
    return `write ${Number(clock[1])}h${Number(clock[2])}m, or ${Number(clock[1])}m${Number(clock[2])}s`;
  if (parts.length === 0 || /[^\s\w.+-]/.test(text)) return units;
  let guess = sign;
  let before: Unit | undefined;
  for (const [, number, word = ""] of parts) {
    const unit: Unit | undefined = word === "" ? (before === undefined ? "s" : nextSmaller(before)) : unitWords[word];
    if (unit === undefined) return units;
    guess += `${number}${unit}`;
    before = unit;
  }
  return parseDuration(guess) === undefined ? units : `write ${guess}`;
}

function nextSmaller(unit: Unit): Unit | undefined {
  const order: readonly Unit[] = ["d", "h", "m", "s", "ms"];
  return order[order.indexOf(unit) + 1];
}
