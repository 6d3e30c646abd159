import { type Read, describeValue } from "../../sheet/raw-value.js";
import { scalar } from "./scalar.js";

const least = 0.001;
const most = 1000;

/** `2x` `0.5x`, read as a factor. */
export function readTimes(): Read<number> {
  return scalar("a factor such as 2x", (text, report) => {
    const number = /^(\d+(?:\.\d+)?)x$/.exec(text)?.[1];
    if (number === undefined) {
      const [, meant] = /^[x×]?\s*(\d+(?:\.\d+)?)\s*(?:[x×*]|times)?$/i.exec(text) ?? [];
      report({
        code: /\d/.test(text) ? "wrong-unit" : "bad-value",
        message: `must be a factor such as 2x, got ${describeValue(text)}`,
        hint: meant === undefined ? "write 2x or 0.5x" : `write ${meant}x`,
      });
      return undefined;
    }
    const factor = Number(number);
    if (factor >= least && factor <= most) return factor;
    report({
      code: "out-of-range",
      message: `must be ${least}x..${most}x, got ${text}`,
      hint: factor === 0 ? "write state: paused" : undefined,
    });
    return undefined;
  });
}
