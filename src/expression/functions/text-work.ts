import type { ErrorValue } from "../values/error-value.js";
import { textLengthMax, textTooLong } from "../values/limits.js";
import { spend, workExceeded } from "../values/meter.js";

/** Units of work to take a character out of a text and handle it alone. */
const unitsOfCharacter = 0.25;

/** A text in upper case, character by character: characters without a single upper-case form, such as `ß`, stay. */
export function toUpperCase(text: string): string | ErrorValue {
  const upper = text.toUpperCase();
  if (upper.length === text.length) return upper;
  return spend(text.length * unitsOfCharacter) ? Array.from(text, upperCharacter).join("") : workExceeded;
}

function upperCharacter(character: string): string {
  const upper = character.toUpperCase();
  return upper.length === character.length ? upper : character;
}

/**
 * A text whose words begin with capitals. Any mark ends a word, an apostrophe too: `don't` becomes `Don'T`
 * (docs/reference/flows.md#functions).
 */
export function capitaliseWords(text: string): string {
  return text.replace(/(?<![\p{L}\p{N}_])\p{L}/gu, (letter, index: number) =>
    separates(text, index) ? upperCharacter(letter) : letter,
  );
}

/** Whether a word may begin at an index: at the start, and after blanks and ASCII marks. */
function separates(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1);
  return index === 0 || before < 128 || /\s/u.test(text.charAt(index - 1));
}

/** A text without control and formatting characters. */
export function cleanText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, "");
}

/** Drops characters at the ends of a text. @param characters - empty: blanks */
export function trimCharacters(
  text: string,
  characters: string,
  sides: { readonly left: boolean; readonly right: boolean },
): string | ErrorValue {
  if (characters === "") {
    const trimmed = sides.left ? text.trimStart() : text;
    return sides.right ? trimmed.trimEnd() : trimmed;
  }
  if (!spend((text.length + characters.length) * unitsOfCharacter)) return workExceeded;
  const dropped = new Set(characters);
  const kept = Array.from(text);
  let from = 0;
  let to = kept.length;
  while (sides.left && from < to && dropped.has(kept[from] ?? "")) from++;
  while (sides.right && to > from && dropped.has(kept[to - 1] ?? "")) to--;
  return kept.slice(from, to).join("");
}

/** The characters from `start` to before `end`; negative ones count from the end. @param end - undefined: to the end */
export function charactersFrom(text: string, start: number, end: number | undefined): string {
  const characters = Array.from(text);
  const from = start < 0 ? Math.max(0, characters.length + start) : start;
  const to = end !== undefined && end < 0 ? characters.length + end : (end ?? characters.length);
  return to <= from ? "" : characters.slice(from, to).join("");
}

/**
 * Replaces the first occurrences of a text. An empty one occurs before each character and at the end.
 *
 * @param count - negative: all occurrences
 */
export function replaceTexts(
  text: string,
  { old, replacement, count }: { readonly old: string; readonly replacement: string; readonly count: number },
): string | ErrorValue {
  if (old === "" && !spend(text.length * unitsOfCharacter)) return workExceeded;
  const pieces = old === "" ? ["", ...Array.from(text)] : text.split(old);
  const replaced = Math.min(count < 0 ? Infinity : count, old === "" ? pieces.length : pieces.length - 1);
  if (text.length + replaced * replacement.length > textLengthMax) return textTooLong;
  if (old === "") {
    return pieces.map((piece, index) => (index < replaced ? piece + replacement : piece)).join("");
  }
  const rest = pieces.slice(replaced).join(old);
  return [...pieces.slice(0, replaced), rest].join(replacement);
}
