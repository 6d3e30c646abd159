// eslint-disable-next-line no-control-regex -- they are what is made visible
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** A stranger's text with control characters, and those that reorder text, as `\u202e`. Line ends and tabs stay. */
export function visibleText(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(HIDDEN, (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
