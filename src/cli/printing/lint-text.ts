import { type Finding, type LintLevel, lintLevels } from "../../flow/index.js";
import { plain, wrap } from "../../report/index.js";
import { count } from "./numbers.js";

/** Most places of one finding that are listed. */
const PLACES_MAX = 3;

/** A finding with its place in the file; null: the file has no such place. Both count from 1. */
export interface PlacedFinding extends Finding {
  readonly line: number | null;
  readonly column: number | null;
}

/** How findings are printed. */
interface Printed {
  /** Name of the file. */
  readonly file: string;
  readonly width: number;
}

/** The findings of a file for people: by flow and rule; those with the same text are one, with its places. */
export function findingsText(findings: readonly PlacedFinding[], printed: Printed): string {
  const lines: string[] = [];
  for (const ofFlow of grouped(findings, ({ flow }) => flow.uuid)) {
    lines.push("", `  ${plain(ofFlow[0]?.flow.name ?? "")}`);
    const byLevel = ofFlow.toSorted((a, b) => lintLevels.indexOf(a.level) - lintLevels.indexOf(b.level));
    for (const same of grouped(byLevel, foldMark)) lines.push(...findingLines(same, printed));
  }
  return lines.map((line) => `${line}\n`).join("");
}

/** `, 2 errors, 1 warning`; empty when there are none. */
export function levelCounts(findings: readonly Finding[]): string {
  return (["error", "warning"] as const)
    .map((level) => ({ level, number: findings.filter((one) => one.level === level).length }))
    .filter(({ number }) => number > 0)
    .map(({ level, number }) => `, ${count(number)} ${level}${number === 1 ? "" : "s"}`)
    .join("");
}

/** How many findings are not listed, by rule; empty when there are none. */
export function infoText(hidden: readonly Finding[]): string {
  if (hidden.length === 0) return "";
  const rules = grouped(hidden, ({ rule }) => rule).map((same) => `${count(same.length)} ${same[0]?.rule ?? ""}`);
  const least = lintLevels.findLast((level) => hidden.some((one) => one.level === level)) ?? "info";
  return `\n  not listed: ${rules.join(", ")} (--level ${least} lists them)\n`;
}

/** Findings of a rule with many texts of their own are one line; the others are one by text. */
function foldMark({ rule, text, fix, level }: Finding): string {
  return JSON.stringify(foldedRules.has(rule) ? [rule, level, /into (\w+)/.exec(text)?.[1]] : [rule, level, text, fix]);
}

const foldedRules: ReadonlySet<string> = new Set(["long-text", "missing-translation"]);

function findingLines(same: readonly PlacedFinding[], { file, width }: Printed): readonly string[] {
  const [first] = same;
  if (first === undefined) return [];
  const { rule, level, text, fix } = first;
  const isFolded = foldedRules.has(rule) && same.length > 1;
  const places = same.slice(0, PLACES_MAX).map((one) => {
    const place = [placeText(one), ...(one.line === null ? [] : [`${file}:${one.line}:${one.column ?? 1}`])]
      .filter((part) => part !== "")
      .join(", ");
    return isFolded ? `${place}: ${one.text}` : place;
  });
  const more = same.length - places.length;
  const said = isFolded ? `${count(same.length)} texts` : text;
  return [
    ...indented(`${levelWords[level]} ${plain(said)} [${rule}]`, 4, width),
    ...places.filter((place) => place !== "").flatMap((place) => indented(`at ${plain(place)}`, 6, width)),
    ...(more > 0 ? [`      and ${count(more)} more`] : []),
    ...indented(`-> ${plain(fix)}`, 6, width),
  ];
}

const levelWords: Readonly<Record<LintLevel, string>> = { error: "error:", warning: "warning:", info: "info:" };

function placeText({ node, at }: Finding): string {
  if (node === null) return "";
  const title = node.title === "" ? node.uuid : node.title;
  return at === "" || title === at ? title : `${title} (${at})`;
}

function indented(text: string, spaces: number, width: number): string[] {
  return wrap(text.replaceAll(/\s+/g, " "), width - spaces - 2).map(
    (line, index) => `${" ".repeat(index === 0 ? spaces : spaces + 2)}${line}`,
  );
}

function grouped<T>(items: readonly T[], markOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const mark = markOf(item);
    const known = groups.get(mark);
    if (known === undefined) groups.set(mark, [item]);
    else known.push(item);
  }
  return [...groups.values()];
}
