import { escaped } from "../html/markup.js";
import { plain } from "../terminal-text.js";
import type { DiscrepancyKind } from "./discrepancies.js";
import { breaking, comparedText, gapsText, notComparedText, SHOWN_MAX } from "./render.js";
import type { Reconciliation } from "./reconcile.js";

/**
 * As JUnit XML: a test case for each kind that breaks the reconciliation. Properties say what was compared. The case
 * of changed events is skipped when neither text nor phone was compared.
 */
export function reconciliationJunit(result: Reconciliation): string {
  const { compared, counts, warnings } = result;
  const isBlind = result.counts.changed === 0 && !compared.includes("text") && !compared.includes("phone");
  const skipped = isBlind ? gapsText(result) : undefined;
  const cases = breaking.map((kind) => testCase(kind, result, kind === "changed" ? skipped : undefined));
  const failures = breaking.filter((kind) => counts[kind] > 0).length;
  const totals = `tests="${breaking.length}" failures="${failures}" errors="0"`;
  const properties = [
    ["compared", comparedText(result)],
    ["not-compared", notComparedText(result)],
    ...warnings.map((text) => ["warning", text] as const),
  ].flatMap(([name, value]) =>
    value === undefined ? [] : [`      <property name="${name}" value="${escaped(plain(value))}"/>\n`],
  );
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="reconcile" ${totals}>\n` +
    `  <testsuite name="reconcile" ${totals} skipped="${skipped === undefined ? 0 : 1}" time="0.000">\n` +
    `    <properties>\n${properties.join("")}    </properties>\n${cases.join("")}  </testsuite>\n</testsuites>\n`
  );
}

function testCase(kind: DiscrepancyKind, { counts, listed }: Reconciliation, skipped: string | undefined): string {
  const count = counts[kind];
  const opening = `    <testcase name="${kind === "unknown" ? "no row is" : "no event is"} ${kind}" classname="reconcile" time="0.000"`;
  if (skipped !== undefined) return `${opening}>\n      <skipped message="${escaped(skipped)}"/>\n    </testcase>\n`;
  if (count === 0) return `${opening}/>\n`;
  const texts = listed[kind].slice(0, SHOWN_MAX).map(({ text }) => plain(text));
  const message = escaped(`${count} ${kind}: ${texts[0] ?? ""}`);
  return `${opening}>\n      <failure message="${message}" type="${kind}">${escaped(texts.join("\n"))}</failure>\n    </testcase>\n`;
}
