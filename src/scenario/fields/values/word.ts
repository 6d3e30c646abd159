import { nearest, suggest } from "../../sheet/nearest.js";
import type { DiagnosticCode } from "../../sheet/diagnostic.js";
import { type Read, describeValue } from "../../sheet/raw-value.js";
import { scalar } from "./scalar.js";

/** One of the words listed. @param options - what to call it in messages, and the code for others */
export function readWord<const Word extends string>(
  words: readonly Word[],
  { noun = words.join(" or "), code = "bad-value" }: { readonly noun?: string; readonly code?: DiagnosticCode } = {},
): Read<Word> {
  return scalar(noun, (text, report) => {
    const word = words.find((one) => one === text);
    if (word !== undefined) return word;
    const isListed = words.length <= 8 && noun === words.join(" or ");
    const flag = new Map([
      ["true", "on"],
      ["false", "off"],
      ["yes", "on"],
      ["no", "off"],
    ]).get(text);
    const close = nearest(text, words);
    const hint =
      flag !== undefined && words.some((one) => one === flag)
        ? `write ${flag}`
        : isListed && close === undefined
          ? undefined
          : suggest(text, words);
    report({
      code,
      message: `must be ${isListed ? listed(words) : noun}, got ${describeValue(text)}`,
      hint,
    });
    return undefined;
  });
}

/** `true` or `false`. */
export function readFlag(): Read<boolean> {
  return scalar("true or false", (text, report) => {
    if (text === "true" || text === "false") return text === "true";
    const meant = /^(yes|on|y|1)$/i.test(text) ? "true" : /^(no|off|n|0)$/i.test(text) ? "false" : undefined;
    report({
      code: "bad-value",
      message: `must be true or false, got ${describeValue(text)}`,
      hint: meant === undefined ? undefined : `write ${meant}`,
    });
    return undefined;
  });
}

function listed(words: readonly string[]): string {
  return words.length === 1 ? String(words[0]) : `${words.slice(0, -1).join(", ")} or ${String(words.at(-1))}`;
}
