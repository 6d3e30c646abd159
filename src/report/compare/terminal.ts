import { Chalk } from "chalk";
import { pad } from "../layout.js";
import { cut, plain, wrap } from "../terminal-text.js";
import type { Comparison, ComparisonRow } from "./compare.js";
import {
  changeWords,
  conclusionLines,
  eventsInWords,
  exitCodeHint,
  headlineOf,
  ratioOf,
  sectionsOf,
  valueOf,
} from "./phrases.js";

/** Columns of a name, a value and a ratio. */
const NAME = 24;
const VALUE = 11;
const RATIO = 8;

/** A comparison for a terminal; no line is wider than `width`, at least 60 columns. */
export function renderComparison(comparison: Comparison, options: { colour: boolean; width: number }): string {
  const width = Math.max(60, options.width);
  const paint = new Chalk({ level: options.colour ? 1 : 0 });
  const lines = [
    paint.bold(cut(`${plain(comparison.before.name)}: two runs compared`, width)),
    ...wrap(`before ${plain(comparison.before.recording ?? "")}`, width),
    ...wrap(`after  ${plain(comparison.after.recording ?? "")}`, width),
    "",
    ...wrap(plain(headlineOf(comparison)), width).map((line) => paint.bold(line)),
    ...conclusionLines(comparison).flatMap((text) => wrap(plain(text), width - 2).map((line) => `  ${line}`)),
    "",
    ...eventsInWords(comparison).flatMap((text, index) =>
      // The lines of the two events are cut, because bodies are long.
      index === 1 || index === 2 ? [cut(plain(text), width)] : wrap(plain(text), width),
    ),
    ...comparison.cautions.flatMap((text) => wrap(`! ${plain(text)}`, width).map((line) => paint.yellow(line))),
  ];
  for (const [name, rows] of sectionsOf(comparison)) {
    const head = pad(cut(name, NAME), NAME) + ["before", "after"].map((word) => word.padStart(VALUE)).join("");
    lines.push("", paint.bold(head), ...rows.map((row) => rowLine(row, width, paint)));
  }
  const hint = exitCodeHint(comparison);
  if (hint !== undefined) lines.push("", ...wrap(hint, width));
  return `${lines.join("\n")}\n`;
}

function rowLine(row: ComparisonRow, width: number, paint: InstanceType<typeof Chalk>): string {
  const numbers = [row.before, row.after].map((value) => valueOf(row, value).padStart(VALUE)).join("");
  const left = `${pad(cut(`  ${plain(row.name)}`, NAME), NAME)}${numbers}${ratioOf(row).padStart(RATIO)}  `;
  const words = cut(changeWords(row), width - left.length);
  const tone = row.isUnsure
    ? paint.dim
    : { better: paint.green, worse: paint.red, same: paint.dim, other: paint.yellow }[row.change];
  return left + tone(words);
}
