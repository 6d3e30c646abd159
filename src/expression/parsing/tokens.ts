/** A word, or one symbol. */
const token = /[\p{L}\p{M}\p{N}_']+|\p{S}/gu;

/**
 * The words of a text: runs of letters, marks, digits, `_` and `'`. Each symbol, such as an emoji or `+`, is a word of
 * its own (docs/reference/flows.md#words-of-a-text).
 */
export function wordsOf(text: string): string[] {
  return text.match(token) ?? [];
}

/** The parts of a text between the given characters, each of which separates; empty parts are dropped. */
export function partsBetween(text: string, delimiters: string): string[] {
  const separators = new Set(delimiters);
  const parts: string[] = [];
  let part = "";
  for (const character of text) {
    if (!separators.has(character)) part += character;
    else if (part !== "") {
      parts.push(part);
      part = "";
    }
  }
  if (part !== "") parts.push(part);
  return parts;
}

/**
 * A text in lower case, character by character: a sigma stays a sigma at the end of a word, and `İ` becomes `i`. So
 * two words that differ in case only are equal wherever they stand.
 */
export function toLowerCase(text: string): string {
  return /[\u03a3\u0130]/.test(text)
    ? Array.from(text, (character) => (character === "\u0130" ? "i" : character.toLowerCase())).join("")
    : text.toLowerCase();
}
