import { badValue, scalar } from "./scalar.js";
import type { Read, Tell } from "../../sheet/written.js";

/** Bounds of a number, both included. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** Tells when a number is out of its bounds. `write` spells a number as the file does. */
export function within(
  value: number,
  { min, max }: Bounds,
  tell: Tell,
  text: string,
  write: (value: number) => string = String,
): number | undefined {
  if (value >= min && value <= max) return value;
  const isVast = max >= Number.MAX_SAFE_INTEGER; // only who goes beyond it wants to know of it
  const bound = !isVast
    ? `${write(min)}..${write(max)}`
    : value < min
      ? `at least ${write(min)}`
      : `at most ${write(max)}`;
  tell({ code: "out-of-range", message: `must be ${bound}, got ${text}` });
  return undefined;
}

/** A whole number within bounds. */
export function readCount(bounds: Bounds): Read<number> {
  const wanted = "a whole number";
  return scalar(wanted, (text, tell) => {
    if (!/^[+-]?\d+$/.test(text)) return badValue(wanted, text, tell, wholeHint(text, bounds));
    return within(Number(text), bounds, tell, text);
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
  return scalar(wanted, (text, tell) => {
    if (!/^[+-]?\d+(\.\d+)?$/.test(text)) return badValue(wanted, text, tell, "write digits, such as 40 or 2.5");
    return within(Number(text), bounds, tell, text);
  });
}
