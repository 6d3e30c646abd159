import { onOneLine } from "../wire/index.js";
import { type Diagnostic, setFile, withoutMark } from "./sheet/diagnostic.js";

/** Limit of printed diagnostics: later ones are mostly consequences of the first. */
const mostShown = 50;

/**
 * Formats diagnostics for readers: place, code and message, then the line with the span underlined, then the hint.
 *
 * Each ends with a line feed. Of more than 50 it prints the first 50, errors before warnings, and the number of the
 * others.
 *
 * @param sourceText - the scenario's text
 * @param set - the `--set` arguments, if any
 */
export function formatDiagnostics(
  diagnostics: readonly Diagnostic[],
  sourceText: string,
  set: readonly string[] = [],
): string {
  const lines = withoutMark(sourceText).split(/\r?\n/);
  const isError = (one: Diagnostic): boolean => one.severity === "error";
  const listed = diagnostics.filter((one) => one.more === undefined);
  const shown =
    listed.length <= mostShown
      ? listed
      : [...listed.filter(isError), ...listed.filter((one) => !isError(one))].slice(0, mostShown);
  const printed = shown.map(
    (one) => `${formatOne(one, one.text ?? (one.file === setFile ? set : lines)[one.line - 1])}\n`,
  );
  const left = diagnostics.reduce((sum, one) => sum + (one.more ?? 1), 0) - shown.length;
  return printed.join("") + (left === 0 ? "" : `and ${left.toLocaleString("en")} more: fix these first\n`);
}

function formatOne(diagnostic: Diagnostic, line: string | undefined): string {
  const { file, line: number, column, severity, code, message } = diagnostic;
  const hint = diagnostic.hint === undefined ? undefined : onOneLine(diagnostic.hint);
  const head = onOneLine(`${file}:${number}:${column}: ${severity}[${code}]: ${message}`);
  if (line === undefined || line.trim() === "") return hint === undefined ? head : `${head}\n  ${hint}`;
  const { text, start, width } = window(line, column - 1, diagnostic.length);
  const margin = " ".repeat(String(number).length + 3);
  const underline = "^".repeat(width) + (hint === undefined ? "" : ` ${hint}`);
  return `${head}\n  ${number} | ${text}\n${margin}| ${" ".repeat(start)}${underline}`;
}

/** Characters of a long line that are shown before and after the beginning of the span. */
const shownBefore = 60;
const shownAfter = 100;

/**
 * The part of a line around a span, with tabs and control characters made one column wide, and the span's column in
 * it.
 */
function window(line: string, offset: number, length: number): { text: string; start: number; width: number } {
  const from = offset > shownBefore + 20 ? offset - shownBefore : 0;
  const to = line.length > offset + shownAfter + 20 ? offset + shownAfter : line.length;
  const before = (from > 0 ? "…" : "") + visible(line.slice(from, offset));
  const span = visible(line.slice(offset, Math.min(to, offset + length)));
  const after = visible(line.slice(offset + length, to)) + (to < line.length ? "…" : "");
  return { text: before + span + after, start: columnsOf(before), width: Math.max(1, columnsOf(span)) };
}

function visible(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what must not reach a terminal
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, " ");
}

/** Terminal columns that a text takes: two for wide characters (East Asian, emoji), none for combining marks. */
function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) {
    if (/\p{M}|\u200b|\u200d|[\ufe00-\ufe0f]/u.test(character)) continue;
    columns +=
      /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u.test(
        character,
      )
        ? 2
        : 1;
  }
  return columns;
}
