import { onOneLine } from "../wire/index.js";

/** An external text on one line: line ends and tabs become spaces, other control characters are escaped. */
export function plain(text: string): string {
  return onOneLine(text.replace(/[\t\n\r]+/g, " ").trim());
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const ascii = /^[ -~]*$/u;
const invisible = /^[\p{Mark}\p{Default_Ignorable_Code_Point}\p{Format}]+$/u;
/** Characters that terminals show in two columns: Unicode's East Asian Width W and F, and emoji. */
const wide =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18d08}\u{1aff0}-\u{1b2fb}\u{1f100}-\u{1f2ff}\u{20000}-\u{3fffd}]/u;

/** How many columns a text takes on a terminal; where terminals differ, the greater number. */
export function columns(text: string): number {
  if (ascii.test(text)) return text.length;
  let total = 0;
  for (const { segment } of graphemes.segment(text)) total += invisible.test(segment) ? 0 : wide.test(segment) ? 2 : 1;
  return total;
}

/** Breaks a text into lines of at most `width` columns, at spaces if possible. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").flatMap((whole) => pieces(whole, width))) {
    if (line !== "" && columns(line) + 1 + columns(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  lines.push(line);
  return lines;
}

/** Breaks a word that is longer than a line. */
function pieces(word: string, width: number): string[] {
  if (columns(word) <= width) return [word];
  const found: string[] = [];
  let piece = "";
  for (const { segment } of graphemes.segment(word)) {
    if (columns(piece) + columns(segment) > width) {
      found.push(piece);
      piece = "";
    }
    piece += segment;
  }
  found.push(piece);
  return found;
}

/** Cuts a text to `width` columns, with `…` at the end of a cut text. */
export function cut(text: string, width: number): string {
  if (columns(text) <= width) return text;
  let kept = "";
  for (const { segment } of graphemes.segment(text)) {
    if (columns(kept) + columns(segment) > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}
