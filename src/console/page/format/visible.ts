// eslint-disable-next-line no-control-regex -- the function makes them visible
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Escapes control characters and characters that reorder text, as `\u202e`, in an untrusted text. Line ends and tabs
 * stay.
 */
export function visibleText(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(HIDDEN, (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
