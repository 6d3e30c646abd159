import { toInteger, toText } from "../conversions.js";
import { partsBetween, wordsOf } from "../parsing/index.js";
import { Decimal } from "../values/decimal.js";
import { ErrorValue } from "../values/error-value.js";
import { itemsMax, tooManyItems } from "../values/limits.js";
import { ArrayValue, type FunctionValue } from "../values/value.js";
import { defineFunction } from "./define.js";

/** Units of work for a character of a text that is split. */
const work = 0.1;

/** Functions of the words of a text (docs/reference/flows.md#words-of-a-text). */
export const wordFunctions: readonly FunctionValue[] = [
  defineFunction("split", { required: [toText], optional: [toText], work }, (_environment, text, delimiters) => {
    const words = split(text, delimiters);
    return words.length > itemsMax ? tooManyItems : new ArrayValue(words);
  }),
  defineFunction(
    "word",
    { required: [toText, toInteger], optional: [toText], work },
    (_environment, text, index, delimiters) => {
      const words = split(text, delimiters);
      return (
        words.at(index) ?? new ErrorValue(`index ${index} is out of range for the number of words ${words.length}`)
      );
    },
  ),
  defineFunction(
    "word_count",
    { required: [toText], optional: [toText], work },
    (_environment, text, delimiters) => new Decimal(split(text, delimiters).length),
  ),
  defineFunction(
    "word_slice",
    { required: [toText, toInteger], optional: [toInteger, toText], work },
    (_environment, text, start, end = -1, delimiters) => {
      if (start < 0) return new ErrorValue("must start with a positive index");
      if (end > 0 && end <= start) return new ErrorValue("must have a end which is greater than the start");
      return split(text, delimiters)
        .slice(start, end > 0 ? end : undefined)
        .join(" ");
    },
  ),
  defineFunction("remove_first_word", { required: [toText], work }, (_environment, text) => {
    const [first, second] = wordsOf(text);
    if (first === undefined || second === undefined) return "";
    const rest = text.slice(text.indexOf(first) + first.length);
    return rest.slice(rest.indexOf(second));
  }),
  defineFunction("field", { required: [toText, toInteger, toText], work }, (_environment, text, index, delimiter) => {
    if (index < 0) return new ErrorValue("cannot use a negative index");
    const fields = delimiter === "" ? Array.from(text) : text.split(delimiter);
    const kept = delimiter === " " ? fields.filter((field) => field !== "") : fields;
    return kept[index]?.trim() ?? "";
  }),
  defineFunction("read_chars", { required: [toText], work }, (_environment, text) => readableCharacters(text)),
];

/** @param delimiters - characters that each separate; empty or missing: the words of the text */
function split(text: string, delimiters = ""): string[] {
  return delimiters === "" ? wordsOf(text) : partsBetween(text, delimiters);
}

/** Characters apart, in groups of three or four if these divide their number, so that a voice can read them. */
function readableCharacters(text: string): string {
  const characters = Array.from(text.replace(/^\++/, ""));
  const size = [3, 4].find((each) => characters.length % each === 0);
  if (size === undefined) return characters.join(" , ");
  const groups: string[] = [];
  for (let index = 0; index < characters.length; index += size) {
    groups.push(characters.slice(index, index + size).join(" "));
  }
  return groups.join(" , ");
}
