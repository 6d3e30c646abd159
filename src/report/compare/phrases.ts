import { formatShare } from "../findings/index.js";
import { formatCount, formatDuration, countOf } from "../number-format.js";
import type { Comparison, ComparisonRow } from "./compare.js";
import { isWorse } from "./conclusion.js";
import { newFaults } from "./finding-changes.js";

export const sectionNames: Readonly<Record<ComparisonRow["section"], string>> = {
  rates: "Rates",
  latency: "Delivery",
  outcomes: "How attempts ended",
  ledger: "Accounts",
  types: "Delivery by type",
};

/** A value of a row with its unit. */
export function valueOf({ unit }: ComparisonRow, value: number | null): string {
  if (value === null) return "–";
  if (unit === "ms") return formatDuration(value);
  if (unit === "share") return formatShare(value);
  return unit === "count" ? formatCount(value) : `${formatCount(Math.round(value))}/s`;
}

/** `x 1.25`: after against before; nothing where that says nothing. */
export function ratioOf({ before, after }: ComparisonRow): string {
  if (before === null || after === null || before === 0 || before === after) return "";
  const ratio = after / before;
  return `x ${ratio.toFixed(ratio < 10 ? 2 : 0)}`;
}

/** What a change means, in a word; a sign goes before it. */
export function changeWords({ change, isUnsure }: ComparisonRow): string {
  const words = { same: "= same", better: "▲ better", worse: "▼ worse", other: "≠ differs" }[change];
  return isUnsure && (change === "better" || change === "worse") ? `${words}, may be chance` : words;
}

/** Whether the events were the same, in sentences. */
export function eventsInWords({ isSame, difference }: Comparison): string[] {
  if (isSame) return ["The events are the same: their digests are equal."];
  if (difference === undefined) return ["The digests differ, and the events that were recorded do not."];
  const { after, one, other } = difference;
  const told = (event: typeof one): string =>
    event === null
      ? "no more events"
      : `${event.type} of channel ${event.channel}, number ${event.number}, at ${formatDuration(event.atMs)}: ${event.body}`;
  return [
    `The events differ, after ${formatCount(after)} that are the same:`,
    `before: ${told(one)}`,
    `after: ${told(other)}`,
  ];
}

/** What the comparison comes to, in a line: a sign goes before it. */
export function headlineOf({ conclusion, conditions, findings }: Comparison): string {
  const failed = conditions.filter(({ hasFailed }) => hasFailed).length;
  const sign = { worse: "▼", better: "▲", "worse and better": "≠", "no difference found": "=", "not tested": "?" };
  const words = {
    worse: "Worse",
    better: "Better",
    "worse and better": "Worse in some, better in others",
    "no difference found": "No difference was found",
    "not tested": "Not tested",
  };
  const faults = newFaults(findings).length;
  const added = faults === 0 ? "" : `; ${countOf(faults, "new finding")}`;
  const asked =
    conditions.length === 0 ? "" : `; ${failed} of ${countOf(conditions.length, "condition")} of --fail-if met`;
  return `${sign[conclusion.state]} ${words[conclusion.state]}${added}${asked}`;
}

/** What the headline rests on. */
export function conclusionLines(comparison: Comparison): string[] {
  const { conclusion, conditions } = comparison;
  const told = conditions.map(
    ({ text, hasFailed, seen }) => `${hasFailed ? "✘ fails" : "✔ passes"}: ${text} (${seen})`,
  );
  return [...told, ...conclusion.lines, ...findingLines(comparison)];
}

/** What stands out in one of the two runs only. */
export function findingLines({ findings: { added, gone } }: Comparison): string[] {
  return [...added.map(({ text }) => `New: ${text}`), ...gone.map(({ text }) => `No longer: ${text}`)];
}

/** How to make a comparison fail that says something is worse and was asked for no condition; undefined for others. */
export function exitCodeHint({ conclusion, findings, conditions }: Comparison): string | undefined {
  if (conditions.length > 0) return undefined;
  const [worse, faults] = [isWorse(conclusion.state), newFaults(findings).length > 0];
  if (!worse && !faults) return undefined;
  const options = [...(worse ? ["--fail-if worse"] : []), ...(faults ? ["--fail-if new-findings"] : [])];
  return `Exit code 0: for exit code 1 add ${options.join(", ")} or --fail-if "delivery.p99 > 1.2x".`;
}

/** Sections that have rows, in their order. */
export function sectionsOf({ rows }: Comparison): [name: string, rows: ComparisonRow[]][] {
  return (Object.keys(sectionNames) as ComparisonRow["section"][])
    .map((section): [string, ComparisonRow[]] => [sectionNames[section], rows.filter((row) => row.section === section)])
    .filter(([, own]) => own.length > 0);
}
