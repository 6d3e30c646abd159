import { Chalk } from "chalk";
import { escaped } from "../html/markup.js";
import { formatCount, readableDuration } from "../number-format.js";
import { plain, wrap } from "../terminal-text.js";
import { type DiscrepancyKind, discrepancyKinds, type Reconciliation } from "./reconcile.js";

/** Discrepancies of a kind that the text and JUnit show. */
const SHOWN_MAX = 10;

const about: Readonly<Record<DiscrepancyKind, string>> = {
  missing: "accepted by the receiver, but not in its log",
  doubled: "in its log more than once",
  changed: "in its log, but different from what was sent",
  unknown: "rows that match no event that was sent",
  deduplicated: "copies that the receiver dropped, as it should",
  uncertain: "not in its log; no try was accepted, so they may be absent",
};

/** Whether the log agrees with the deliveries. */
export function isReconciled({ counts }: Reconciliation): boolean {
  return breaking.every((kind) => counts[kind] === 0);
}

const breaking = ["missing", "doubled", "changed", "unknown"] as const satisfies readonly DiscrepancyKind[];

/** A reconciliation for a terminal. */
export function renderReconciliation(
  result: Reconciliation,
  page: { readonly colour: boolean; readonly width: number },
): string {
  const paint = new Chalk({ level: page.colour ? 1 : 0 });
  const width = Math.max(40, page.width);
  const isGood = isReconciled(result);
  const window =
    result.matchedBy === "phone, text and time" ? `, at most ${readableDuration(result.windowMs)} apart` : "";
  const lines = [
    isGood
      ? paint.green("✔ The log agrees with what was delivered")
      : paint.red("✘ The log differs from what was delivered"),
    ...wrap(
      `${formatCount(result.rows)} rows, ${formatCount(result.accepted)} accepted events (${plain(result.types.join(", "))}), ` +
        `${formatCount(result.found)} of them logged as sent; matched by ${result.matchedBy}${window}`,
      width - 2,
    ).map((line) => `  ${line}`),
  ];
  for (const kind of discrepancyKinds) {
    const count = result.counts[kind];
    if (count === 0) continue;
    lines.push("", paint.bold(`${formatCount(count)} ${kind}`) + `: ${about[kind]}`);
    for (const { text } of result.listed[kind].slice(0, SHOWN_MAX)) {
      lines.push(...wrap(plain(text), width - 4).map((line, index) => (index === 0 ? "  - " : "    ") + line));
    }
    if (count > SHOWN_MAX) lines.push(`    and ${formatCount(count - SHOWN_MAX)} more (--json lists them)`);
  }
  const first = breaking.flatMap((kind) => result.listed[kind]).find(({ event }) => event !== undefined)?.event;
  if (first !== undefined)
    lines.push("", paint.dim(`handset why RECORDING ${first}  shows what happened to one of them`));
  return `${lines.join("\n")}\n`;
}

/** As JUnit XML: a test case for each kind that breaks the reconciliation. */
export function reconciliationJunit(result: Reconciliation): string {
  const failures = breaking.filter((kind) => result.counts[kind] > 0);
  const cases = breaking.map((kind) => {
    const count = result.counts[kind];
    const opening = `    <testcase name="${kind === "unknown" ? "no row is" : "no event is"} ${kind}" classname="reconcile" time="0.000"`;
    if (count === 0) return `${opening}/>\n`;
    const texts = result.listed[kind].slice(0, SHOWN_MAX).map(({ text }) => plain(text));
    const message = escaped(`${count} ${kind}: ${texts[0] ?? ""}`);
    return `${opening}>\n      <failure message="${message}" type="${kind}">${escaped(texts.join("\n"))}</failure>\n    </testcase>\n`;
  });
  const counts = `tests="${breaking.length}" failures="${failures.length}" errors="0"`;
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="reconcile" ${counts}>\n` +
    `  <testsuite name="reconcile" ${counts} skipped="0" time="0.000">\n${cases.join("")}  </testsuite>\n</testsuites>\n`
  );
}
