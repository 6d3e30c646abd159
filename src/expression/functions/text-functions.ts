import { decodeHTML } from "entities/decode";
import { toInteger, toNumber, toText } from "../conversions.js";
import { matchPattern, toLowerCase } from "../parsing/index.js";
import { Decimal } from "../values/decimal.js";
import { ErrorValue } from "../values/error-value.js";
import { textLengthMax, textTooLong } from "../values/limits.js";
import { workExceeded } from "../values/meter.js";
import { compareTexts } from "../values/text-order.js";
import type { FunctionValue } from "../values/value.js";
import { defineFunction } from "./define.js";
import { capitaliseWords, charactersFrom, cleanText, replaceTexts, toUpperCase, trimCharacters } from "./text-work.js";

/** Longest product of pattern and text that is matched. */
const matchWorkMax = 20_000_000;

/** Functions of text (docs/reference/flows.md#functions). */
export const textFunctions: readonly FunctionValue[] = [
  defineFunction("char", { required: [toInteger] }, (_environment, code) => {
    const isCharacter = code >= 0 && code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff);
    return String.fromCodePoint(isCharacter ? code : 0xfffd);
  }),
  defineFunction("code", { required: [toText] }, (_environment, text) => {
    const code = text.codePointAt(0);
    return code === undefined ? new ErrorValue("requires a string of at least one character") : new Decimal(code);
  }),
  defineFunction("lower", { required: [toText], work: 0.16 }, (_environment, text) => toLowerCase(text)),
  defineFunction("upper", { required: [toText] }, (_environment, text) => toUpperCase(text)),
  defineFunction("title", { required: [toText], work: 0.2 }, (_environment, text) =>
    capitaliseWords(toLowerCase(text)),
  ),
  defineFunction("clean", { required: [toText], work: 0.03 }, (_environment, text) => cleanText(text)),
  ...(["trim", "trim_left", "trim_right"] as const).map((name) =>
    defineFunction(
      name,
      { required: [toText], optional: [toText], work: 0.01 },
      (_environment, text, characters = "") =>
        trimCharacters(text, characters, { left: name !== "trim_right", right: name !== "trim_left" }),
    ),
  ),
  defineFunction(
    "text_slice",
    { required: [toText, toInteger], optional: [toInteger], work: 0.12 },
    (_environment, text, start, end) => charactersFrom(text, start, end),
  ),
  defineFunction(
    "text_length",
    { required: [toText], work: 0.01 },
    (_environment, text) => new Decimal(lengthOf(text)),
  ),
  defineFunction(
    "text_compare",
    { required: [toText, toText], work: 0.01 },
    (_environment, first, second) => new Decimal(compareTexts(first, second)),
  ),
  defineFunction("repeat", { required: [toText, toInteger] }, (_environment, text, count) => {
    if (count < 0) return new ErrorValue(`must be called with a positive integer, got ${count}`);
    return text.length * count > textLengthMax ? textTooLong : text.repeat(text === "" ? 0 : count);
  }),
  defineFunction(
    "replace",
    { required: [toText, toText, toText], optional: [toInteger], work: 0.05 },
    (_environment, text, old, replacement, count = -1) => replaceTexts(text, { old, replacement, count }),
  ),
  defineFunction(
    "regex_match",
    { required: [toText, toText], optional: [toInteger] },
    (_environment, text, pattern, group = 0) => {
      if (pattern.length * text.length > matchWorkMax) return new ErrorValue("text is too long for the pattern");
      const match = matchPattern(pattern, text);
      if (match === "invalid") return new ErrorValue("invalid regular expression");
      if (match === "too much work") return workExceeded;
      if (match === undefined || group < 0 || group >= match.length) {
        return new ErrorValue("invalid regular expression group");
      }
      return match[group] ?? "";
    },
  ),
  defineFunction("percent", { required: [toNumber] }, (_environment, number) => {
    return `${number.times(100).toDecimalPlaces(0).plus(0).toFixed()}%`;
  }),
  defineFunction("url_encode", { required: [toText], work: 0.06 }, (_environment, text) =>
    encodeURIComponent(text.toWellFormed()).replace(
      /[!'()*]/g,
      (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
    ),
  ),
  // A space that does not break becomes a plain one.
  defineFunction("html_decode", { required: [toText], work: 0.08 }, (_environment, text) =>
    decodeHTML(text).replaceAll("\u00a0", " "),
  ),
];

/** Number of characters (code points). */
function lengthOf(text: string): number {
  let length = 0;
  for (let index = 0; index < text.length; length++) index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  return length;
}
