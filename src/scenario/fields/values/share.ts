import { describeValue, type Read } from "../../sheet/raw-value.js";
import { checkRange } from "./number.js";
import { scalar } from "./scalar.js";

/** `25%`, read as 0.25. */
export function readShare(): Read<number> {
  return scalar("a share such as 25%", (text, report) => {
    const percent = readPercentOf(100)(text, report);
    return percent === undefined ? undefined : percent / 100;
  });
}

/** `55%`, read as 55: a level, or percentage points. */
export function readPercent(most = 100): Read<number> {
  return readPercentOf(most);
}

function readPercentOf(most: number): Read<number> {
  return scalar("a percentage such as 25%", (text, report) => {
    if (!/^-?\d+(\.\d+)?%$/.test(text)) {
      report({
        code: /\d/.test(text) ? "wrong-unit" : "bad-value",
        message: `must be a percentage such as 25%, got ${describeValue(text)}`,
        hint: percentHint(text),
      });
      return undefined;
    }
    return checkRange(Number(text.slice(0, -1)), { min: 0, max: most }, report, text, (value) => `${value}%`);
  });
}

function percentHint(text: string): string {
  if (text.includes("..")) return "it is one value, not a range";
  const dashed = /^(\d+(?:\.\d+)?%?)\s*-\s*(\d+(?:\.\d+)?)%$/.exec(text);
  if (dashed !== null) return `a range is written ${dashed[1]?.replace("%", "") ?? ""}%..${dashed[2] ?? ""}%`;
  const [, number] = /^(\d+(?:\.\d+)?|\.\d+)\s*(%|percent)?$/i.exec(text) ?? [];
  if (number === undefined) return "write a number and a percent sign: 25%";
  const value = Number(number);
  const isShare = value > 0 && value < 1 && !/%|percent/i.test(text);
  return `write ${isShare ? Math.round(value * 10_000) / 100 : value}%`;
}
