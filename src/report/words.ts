/** How numbers, spans and texts are written for a person at a terminal. */
import { onOneLine } from "../wire/index.js";

/** Made with the first number: it takes longer to make than most modules to load. */
let grouped: Intl.NumberFormat | undefined;

/** `21,600`. */
export function formatCount(count: number): string {
  grouped ??= new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
  return grouped.format(count);
}

/** `1 copy`, `2 copies`. */
export function many(count: number, one: string, more = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : more}`;
}

/** A gap of the ledger, `3 vanished without a cause`. */
export function gapText(gap: number): string {
  return gap > 0
    ? `${formatCount(gap)} vanished without a cause`
    : `${formatCount(-gap)} ended that never began, or ended twice`;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** `0.35 ms`, `19.2 ms`, `812 ms`, `9.1 s`, `2 min 5 s`, `1 h 30 min`, `2 d 4 h`: two units at most. */
export function formatDuration(spanMs: number): string {
  if (spanMs < 0) return `-${formatDuration(-spanMs)}`;
  // Each bound is where rounding would write 1000 ms, 60 s or 60 min.
  if (spanMs < 999.5) return `${short(spanMs)} ms`;
  if (spanMs < 59_950) return `${short(spanMs / SECOND_MS)} s`;
  if (spanMs < HOUR_MS - SECOND_MS / 2) return pair(spanMs, [MINUTE_MS, "min"], [SECOND_MS, "s"]);
  if (spanMs < DAY_MS - MINUTE_MS / 2) return pair(spanMs, [HOUR_MS, "h"], [MINUTE_MS, "min"]);
  return pair(spanMs, [DAY_MS, "d"], [HOUR_MS, "h"]);
}

type Unit = readonly [ms: number, name: string];

function pair(spanMs: number, [largeMs, large]: Unit, [smallMs, small]: Unit): string {
  const smalls = Math.round(spanMs / smallMs);
  const perLarge = largeMs / smallMs;
  const rest = smalls % perLarge;
  const larges = formatCount(Math.floor(smalls / perLarge));
  return rest === 0 ? `${larges} ${large}` : `${larges} ${large} ${rest} ${small}`;
}

/** Digits as they matter: two decimals below 1, one below 100, none above. */
function short(value: number): string {
  return String(Number(value.toFixed(value < 0.995 ? 2 : value < 99.95 ? 1 : 0)));
}

/** A text from outside on one line: line ends and tabs become spaces, other control characters are escaped. */
export function plain(text: string): string {
  return onOneLine(text.replace(/[\t\n\r]+/g, " ").trim());
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const ascii = /^[ -~]*$/u;
const invisible = /^[\p{Mark}\p{Default_Ignorable_Code_Point}\p{Format}]+$/u;
/** Scripts and signs that terminals give two columns (Unicode's East Asian Width, W and F), and emoji. */
const wide =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18d08}\u{1aff0}-\u{1b2fb}\u{1f100}-\u{1f2ff}\u{20000}-\u{3fffd}]/u;

/** How many columns a text takes on a terminal. Wherever terminals differ, it is the greater number. */
export function columns(text: string): number {
  if (ascii.test(text)) return text.length;
  let total = 0;
  for (const { segment } of graphemes.segment(text)) total += invisible.test(segment) ? 0 : wide.test(segment) ? 2 : 1;
  return total;
}

/** Breaks a text into lines of at most `width` columns, at spaces where there are any. */
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

/** A word that is longer than a line is broken anywhere. */
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

/** A text cut to `width` columns, with `…` where something is missing. */
export function cut(text: string, width: number): string {
  if (columns(text) <= width) return text;
  let kept = "";
  for (const { segment } of graphemes.segment(text)) {
    if (columns(kept) + columns(segment) > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}
