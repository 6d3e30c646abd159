import { reportBadValue, scalar } from "./scalar.js";
import type { Read, ReportProblem } from "../../sheet/raw-value.js";

/** Bounds of a number, both included. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** Reports a number outside its bounds. `write` spells a number as the file does. */
export function checkRange(
  value: number,
  { min, max }: Bounds,
  report: ReportProblem,
  text: string,
  write: (value: number) => string = String,
): number | undefined {
  if (value >= min && value <= max) return value;
  const isVast = max >= Number.MAX_SAFE_INTEGER; // the message names such a bound only if it is exceeded
  const bound = !isVast
    ? `${write(min)}..${write(max)}`
    : value < min
      ? `at least ${write(min)}`
      : `at most ${write(max)}`;
  report({ code: "out-of-range", message: `must be ${bound}, got ${text}` });
  return undefined;
}

/** A whole number within bounds. */
export function readCount(bounds: Bounds): Read<number> {
  const wanted = "a whole number";
  return scalar(wanted, (text, report) => {
    if (!/^[+-]?\d+$/.test(text)) return reportBadValue(wanted, text, report, wholeHint(text, bounds));
    return checkRange(Number(text), bounds, report, text);
  });
}

function wholeHint(text: string, { min, max }: Bounds): string {
  const number = Number(text.replaceAll(/[_, ]/g, ""));
  if (text === "" || !Number.isFinite(number)) return "write digits, such as 40";
  if (number < min || number > max) return `write a number ${min}..${max}`;
  return `write ${Math.round(number)}`;
}

/** A number that may have a fraction, within bounds. */
export function readNumber(bounds: Bounds): Read<number> {
  const wanted = "a number";
  return scalar(wanted, (text, report) => {
    if (!/^[+-]?\d+(\.\d+)?$/.test(text))
      return reportBadValue(wanted, text, report, "write digits, such as 40 or 2.5");
    return checkRange(Number(text), bounds, report, text);
  });
}
