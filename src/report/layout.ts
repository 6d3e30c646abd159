import { Chalk, type ChalkInstance } from "chalk";
import { formatCount } from "./number-format.js";
import { columns, cut, wrap } from "./terminal-text.js";

/**
 * Column layout of the summary: names on the left, then a right-aligned column of counts, or texts. Lines are measured
 * before they are coloured, so no line is wider than the page.
 */
export interface Layout {
  readonly paint: ChalkInstance;
  /** Columns of the page. */
  readonly width: number;
  /** Columns of the names. */
  readonly names: number;
  /** Columns of the counts. */
  readonly counts: number;
}

const unpainted: Paint = (text) => text;

/** Colours a text. */
export type Paint = (text: string) => string;

/** A narrower page is treated as this wide. */
const LEAST_COLUMNS = 40;
const INDENT = 2;
const GAP = 2;

/** A layout wide enough for these names and counts; the name column is at most a third of the page. */
export function newLayout(page: {
  colour: boolean;
  width: number;
  names: readonly string[];
  counts: readonly number[];
}): Layout {
  const width = Math.max(LEAST_COLUMNS, Math.floor(page.width));
  const names = Math.min(Math.max(...page.names.map(columns)), Math.floor(width / 3));
  const counts = Math.max(...page.counts.map((count) => formatCount(count).length));
  return { paint: new Chalk({ level: page.colour ? 1 : 0 }), width, names, counts };
}

/** The column where counts and texts begin. */
function left(sheet: Layout): number {
  return INDENT + sheet.names + GAP;
}

/** The name of a section. */
export function heading(name: string, sheet: Layout): string {
  return sheet.paint.bold(name);
}

/** The name of a section with its sum. */
export function sumHeading(name: string, count: number, about: string, sheet: Layout): string {
  return sheet.paint.bold(pad(name, left(sheet))) + countText(count, about, sheet);
}

/** A line with a name, its count and what it means; `paint` colours the name. */
export function row(name: string, count: number, about: string, sheet: Layout, paint: Paint = unpainted): string {
  return paint(pad(" ".repeat(INDENT) + cut(name, sheet.names), left(sheet))) + countText(count, about, sheet);
}

function countText(count: number, about: string, sheet: Layout): string {
  const digits = formatCount(count).padStart(sheet.counts);
  const room = sheet.width - left(sheet) - digits.length - GAP;
  // Below 8 columns the cut text would be unreadable.
  return about === "" || room < 8 ? digits : digits + " ".repeat(GAP) + sheet.paint.dim(cut(about, room));
}

/** A name and its text; further lines are indented below the text. */
export function labelled(name: string, text: string, sheet: Layout, paint: Paint = unpainted): string[] {
  return hangingIndent(" ".repeat(INDENT) + name, text, sheet).map((line) => paint(line));
}

/** The name of a section, followed by a text. */
export function textHeading(name: string, text: string, sheet: Layout): string[] {
  const [first = "", ...rest] = hangingIndent(name, text, sheet);
  return [sheet.paint.bold(name) + first.slice(name.length), ...rest];
}

function hangingIndent(name: string, text: string, sheet: Layout): string[] {
  const lines = wrap(text, sheet.width - left(sheet));
  return lines.map((line, index) => pad(index === 0 ? name : "", left(sheet)) + line);
}

/** A text after a sign of one column. */
export function bulleted(sign: string, text: string, sheet: Layout): string[] {
  const lines = wrap(text, sheet.width - INDENT - 2);
  return lines.map((line, index) => `${" ".repeat(INDENT)}${index === 0 ? sign : " "} ${line}`);
}

/** Lines of a text, indented and coloured. */
export function indented(text: string, by: number, paint: Paint, sheet: Layout): string[] {
  return wrap(text, sheet.width - by).map((line) => " ".repeat(by) + paint(line));
}

/** Pads a text on the right with spaces to a number of columns. */
export function pad(text: string, to: number): string {
  return text + " ".repeat(Math.max(0, to - columns(text)));
}
