import { RE2JS, RE2JSException } from "re2js";

/** A regular expression of a user, as JavaScript spells it; flags are among `imsu`. */
export interface PatternSpec {
  readonly source: string;
  readonly flags: string;
}

/** Why a regular expression is rejected, and the range of its source at fault. */
export interface PatternFault {
  readonly message: string;
  readonly hint: string;
  readonly from: number;
  readonly to: number;
}

/** Whether a text contains a match. */
export type PatternTest = (text: string) => boolean;

/** Longer sources are rejected: memory for compiling grows with the product of nested counts. */
const maxCharacters = 1_000;

const escapeHint = "put a backslash before ( ) [ ] { } . * + ? that stand for themselves, or write plain text";

/**
 * Compiles a regular expression of a user.
 *
 * RE2 matches in time proportional to the text; JavaScript's engine backtracks, so `(a+)+$` on 40 letters blocks a run
 * for minutes. Lookaround and backreferences, which RE2 lacks, are rejected. Everything else keeps JavaScript's
 * meaning, with code points as characters, as with JavaScript's flag u.
 */
export function compilePattern(spec: PatternSpec): PatternTest | PatternFault {
  const compiled = compileRe2(spec);
  return compiled instanceof RE2JS ? (text) => compiled.test(text) : compiled;
}

/** As `compilePattern`, for a function that replaces every match by a text, which is taken literally. */
export function patternReplacer(spec: PatternSpec): ((text: string, by: string) => string) | PatternFault {
  const compiled = compileRe2(spec);
  if (!(compiled instanceof RE2JS)) return compiled;
  return (text, by) => compiled.matcher(text).replaceAll(() => by);
}

function compileRe2({ source, flags }: PatternSpec): RE2JS | PatternFault {
  const whole = { from: 0, to: source.length };
  if (source.length > maxCharacters) {
    const message = `has ${source.length} characters, and at most ${maxCharacters} are allowed`;
    return { message, hint: "write a shorter expression, or plain text", ...whole };
  }
  try {
    new RegExp(source, flags);
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^.*\/[a-z]*: /s, "") : "it does not compile";
    return { message: `is no regular expression: ${lowerFirst(why)}`, hint: escapeHint, ...whole };
  }
  const translated = translate(source, flags.includes("s"));
  if (typeof translated !== "string") return translated;
  try {
    return RE2JS.compile(translated, flagsOf(flags));
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const message = `cannot be matched in bounded time: ${error.message}`;
    return { message, hint: "use counts up to 1000 and only syntax that RE2 supports", ...whole };
  }
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function flagsOf(flags: string): number {
  const ignoresCase = flags.includes("i") ? RE2JS.CASE_INSENSITIVE : 0;
  const isMultiline = flags.includes("m") ? RE2JS.MULTILINE : 0;
  return ignoresCase | isMultiline | (flags.includes("s") ? RE2JS.DOTALL : 0);
}

/** JavaScript's `\s` and `.`, whose RE2 counterparts match other sets of characters. */
const spaces = String.raw`\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;
const notLineEnd = String.raw`[^\n\r\x{2028}\x{2029}]`;

const lookaround = "match the required text itself, or use two expectations";

/** One token of a source; successive matches are adjacent. */
const piece =
  /\\u\{([0-9a-fA-F]+)\}|\\u([0-9a-fA-F]{4})|\\c([A-Za-z])|\\k<[^>]*>|\\[pP]\{[^}]*\}|\\.|\(\?<?[=!]|\[\^?\]|[^]/gu;

/** Translates a valid JavaScript source to RE2 syntax. */
function translate(source: string, dotIsAll: boolean): string | PatternFault {
  let out = "";
  let inSet = false;
  let pending: number | undefined; // a high surrogate written as \uD83D
  for (const match of source.matchAll(piece)) {
    const [text, braced, four, control] = match;
    const at = { from: match.index, to: match.index + text.length };
    const fault = inSet ? undefined : unsupported(text, at);
    if (fault !== undefined) return fault;
    const hex = braced ?? four;
    const code = hex === undefined ? undefined : Number.parseInt(hex, 16);
    if (code !== undefined && pending !== undefined && code >= 0xdc00 && code <= 0xdfff) {
      out += hexOf((pending - 0xd800) * 0x400 + (code - 0xdc00) + 0x10000);
      pending = undefined;
      continue;
    }
    if (pending !== undefined) out += hexOf(pending);
    pending = code !== undefined && code >= 0xd800 && code <= 0xdbff ? code : undefined;
    if (pending !== undefined) continue;
    if (code !== undefined) out += hexOf(code);
    else if (control !== undefined) out += hexOf(control.charCodeAt(0) % 32);
    else if (inSet) out += inSetPiece(text);
    else out += outsidePiece(text, dotIsAll);
    inSet = inSet ? !text.endsWith("]") || text.startsWith("\\") : text === "[";
  }
  if (pending !== undefined) out += hexOf(pending);
  return out;
}

function unsupported(text: string, at: { readonly from: number; readonly to: number }): PatternFault | undefined {
  if (/^\(\?<?[=!]$/.test(text)) {
    const kind = text.startsWith("(?<") ? "lookbehind" : "lookahead";
    return { message: `has a ${kind} '${text}…)', which cannot be matched in bounded time`, hint: lookaround, ...at };
  }
  if (/^\\([1-9]|k<)/.test(text)) {
    const message = `has a backreference '${text}', which cannot be matched in bounded time`;
    return { message, hint: "write out the repeated text", ...at };
  }
  return undefined;
}

function outsidePiece(text: string, dotIsAll: boolean): string {
  if (text === ".") return dotIsAll ? text : notLineEnd;
  if (text === "[]") return String.raw`[^\x{0}-\x{10ffff}]`;
  if (text === "[^]") return String.raw`[\x{0}-\x{10ffff}]`;
  if (text === String.raw`\s`) return `[${spaces}]`;
  if (text === String.raw`\S`) return `[^${spaces}]`;
  return plainPiece(text);
}

function inSetPiece(text: string): string {
  if (text.startsWith("[")) return `\\${text}`;
  if (text === String.raw`\s`) return spaces;
  if (text === String.raw`\b`) return hexOf(8);
  return plainPiece(text);
}

/** Drops backslashes before letters that JavaScript treats as literal. */
function plainPiece(text: string): string {
  if (text === String.raw`\0`) return hexOf(0);
  if (/^\\[acegh-mo-qyzACE-RT-VX-Z]$/.test(text)) return text.slice(1);
  return text === String.raw`\/` ? "/" : text;
}

function hexOf(code: number): string {
  return String.raw`\x{${code.toString(16)}}`;
}
