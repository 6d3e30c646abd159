import { describeValue, type Read } from "../../sheet/raw-value.js";
import { scalar } from "./scalar.js";

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The highest rate of one entry, in a millisecond: a million a second. */
export const mostPerMs: number = 1000;

/** `20/s` `300/m` `5/h` `2/d`, read as arrivals per millisecond. @param options - `zero`: whether 0/s is allowed */
export function readRate({ zero }: { readonly zero: boolean }): Read<number> {
  return scalar("a rate such as 20/s", (text, report) => {
    const [, number, unit] = /^(\d+(?:\.\d+)?)\/([smhd])$/.exec(text) ?? [];
    if (number === undefined || unit === undefined) {
      report({
        code: /\d/.test(text) ? "wrong-unit" : "bad-value",
        message: `must be a rate such as 20/s, got ${describeValue(text)}`,
        hint: rateHint(text),
      });
      return undefined;
    }
    const perMs = Number(number) / (unitMs[unit] ?? 1000);
    if ((perMs > 0 || zero) && perMs <= mostPerMs) return perMs;
    report({ code: "out-of-range", message: `must be ${zero ? "from 0/s" : "above 0/s"} to 1000000/s, got ${text}` });
    return undefined;
  });
}

function rateHint(text: string): string {
  const [, number, word] = /^(\d+(?:\.\d+)?)\s*(?:(?:\/|per|an?)?\s*)?([a-z]*)/i.exec(text) ?? [];
  const unit = word === undefined || word === "" ? "s" : word.charAt(0).toLowerCase();
  if (number === undefined || unitMs[unit] === undefined || text.startsWith("-")) {
    return "write 20/s, 300/m, 5/h or 2/d";
  }
  return `write ${number}/${unit}`;
}
