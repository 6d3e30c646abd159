import { toText } from "../conversions.js";
import { defineFunction } from "../functions/define.js";
import { findEmail, matchPattern, toLowerCase, wordsOf } from "../parsing/index.js";
import { ErrorValue } from "../values/error-value.js";
import { workExceeded } from "../values/meter.js";
import { objectValue, type FunctionValue, type ObjectValue } from "../values/value.js";
import { matched, matchedWith, noMatch } from "./result.js";

/** Tests of what a text says (docs/reference/flows.md#tests). */
export const textTests: readonly FunctionValue[] = [
  defineFunction("has_text", { required: [toText] }, (_, text) => hasText(text)),
  defineFunction("has_value", { required: [toText] }, (_, text) => hasText(text)),
  defineFunction("has_only_text", { required: [toText, toText] }, (_, text, expected) =>
    text === expected ? matched(text) : noMatch,
  ),
  defineFunction("has_beginning", { required: [toText, toText], work: 0.15 }, (_, text, beginning) =>
    hasBeginning(text.trim(), beginning.trim()),
  ),
  defineFunction("has_any_word", { required: [toText, toText], work: 0.3 }, (_, text, words) =>
    hasAnyWord(text, words),
  ),
  defineFunction("has_all_words", { required: [toText, toText], work: 0.3 }, (_, text, words) =>
    hasAllWords(text, words),
  ),
  defineFunction("has_phrase", { required: [toText, toText], work: 0.3 }, (_, text, phrase) => hasPhrase(text, phrase)),
  defineFunction("has_only_phrase", { required: [toText, toText], work: 0.3 }, (_, text, phrase) =>
    hasOnlyPhrase(text, phrase),
  ),
  defineFunction("has_pattern", { required: [toText, toText] }, (_, text, pattern) => hasPattern(text, pattern.trim())),
  defineFunction("has_email", { required: [toText], work: 0.1 }, (_, text) => {
    const email = findEmail(text);
    return email === undefined ? noMatch : matched(email);
  }),
];

function hasText(text: string): ObjectValue {
  const trimmed = text.trim();
  return trimmed === "" ? noMatch : matched(trimmed);
}

function hasBeginning(text: string, beginning: string): ObjectValue {
  const start = text.slice(0, beginning.length);
  return beginning !== "" && toLowerCase(start) === toLowerCase(beginning) ? matched(start) : noMatch;
}

/** Words in lower case, in order and as a set. */
interface Keys {
  readonly list: readonly string[];
  readonly set: ReadonlySet<string>;
}

/** Keys of arguments: flows test each answer against the same few words, and reading them takes most of a test. */
const keysByWords = new Map<string, Keys>();
const keysByWordsMax = 1_000;
/** Longer arguments are not kept. */
const keyedLengthMax = 1_000;

function keysOf(words: string): Keys {
  const known = keysByWords.get(words);
  if (known !== undefined) return known;
  const list = wordsOf(words).map(toLowerCase);
  const keys = { list, set: new Set(list) };
  if (keysByWords.size >= keysByWordsMax) keysByWords.clear();
  if (words.length <= keyedLengthMax) keysByWords.set(words, keys);
  return keys;
}

/** The words of a text that are among the given ones, as they are written. */
function wordsAmong(text: string, { set }: Keys): string[] {
  return wordsOf(text).filter((word) => set.has(toLowerCase(word)));
}

function hasAnyWord(text: string, words: string): ObjectValue {
  const found = wordsAmong(text, keysOf(words));
  return found.length > 0 ? matched(found.join(" ")) : noMatch;
}

function hasAllWords(text: string, words: string): ObjectValue {
  const wanted = keysOf(words);
  const found = wordsAmong(text, wanted);
  return new Set(found.map(toLowerCase)).size === wanted.set.size ? matched(found.join(" ")) : noMatch;
}

/** The search begins again at the word after a mismatch: `a b` is not found in `a a b`. */
function hasPhrase(text: string, phrase: string): ObjectValue {
  const wanted = keysOf(phrase).list;
  const words = wordsOf(text);
  let count = 0;
  for (let index = 0; index < words.length && count < wanted.length; index++) {
    count = toLowerCase(words[index] ?? "") === wanted[count] ? count + 1 : 0;
    if (count === wanted.length) return matched(words.slice(index + 1 - count, index + 1).join(" "));
  }
  return wanted.length === 0 ? matched("") : noMatch;
}

function hasOnlyPhrase(text: string, phrase: string): ObjectValue {
  const wanted = keysOf(phrase).list;
  const words = wordsOf(text);
  const isSame = words.length === wanted.length && words.every((word, at) => toLowerCase(word) === wanted[at]);
  return isSame ? matched(words.join(" ")) : noMatch;
}

function hasPattern(text: string, pattern: string): ObjectValue | ErrorValue {
  const groups = matchPattern(pattern, text);
  if (groups === "invalid") return new ErrorValue("invalid regular expression");
  if (groups === "too much work") return workExceeded;
  if (groups === undefined) return noMatch;
  const extra = Object.fromEntries(groups.map((group, index) => [String(index), group ?? ""]));
  return matchedWith(groups[0] ?? "", objectValue(extra));
}
