import { escaped } from "../../../report/index.js";
import { auditFamilies } from "../registry.js";
import type { AuditFinding, AuditResult } from "../result.js";

/**
 * The report card as JUnit XML: a suite for each family, a case for each trial that was chosen. Findings are failures,
 * untested trials are skipped, observations are output.
 */
export function renderAuditJunit(result: AuditResult): string {
  const findings = new Map(result.findings.map((finding) => [finding.id, finding]));
  const untested = new Map(result.untested.map(({ id, why }) => [id, why]));
  const observed = new Map(result.observed.map(({ id, text }) => [id, text]));
  const passed = new Set(result.passedIds);
  const suites = auditFamilies.flatMap(({ name, trials }) => {
    const cases = trials.filter(({ id }) => findings.has(id) || untested.has(id) || observed.has(id) || passed.has(id));
    if (cases.length === 0) return [];
    const failures = cases.filter(({ id }) => findings.has(id)).length;
    const skipped = cases.filter(({ id }) => untested.has(id)).length;
    const lines = cases.map(({ id, about }) => {
      const opening = `    <testcase name="${escaped(`${id}: ${about}`)}" classname="audit.${escaped(name)}" time="0.000"`;
      const inner = caseBody({ finding: findings.get(id), why: untested.get(id), text: observed.get(id) });
      return inner === "" ? `${opening}/>\n` : `${opening}>\n      ${inner}\n    </testcase>\n`;
    });
    return [
      `  <testsuite name="${escaped(`audit: ${name}`)}" tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}" time="0.000">\n${lines.join("")}  </testsuite>\n`,
    ];
  });
  const tests = findings.size + untested.size + observed.size + passed.size;
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n` +
    `<testsuites name="audit" tests="${tests}" failures="${findings.size}" errors="0" time="${result.seconds.toFixed(3)}">\n` +
    `${suites.join("")}</testsuites>\n`
  );
}

function caseBody(about: { finding?: AuditFinding; why?: string; text?: string } | Record<string, undefined>): string {
  const { finding, why, text } = about as { finding?: AuditFinding; why?: string; text?: string };
  if (finding !== undefined) {
    const lines = [
      `${finding.title}: ${finding.seen}`,
      ...finding.sent.map(
        ({ body }, index) =>
          `sent ${body}\ngot ${finding.got[index]?.status ?? "no answer"} ${finding.got[index]?.answer ?? ""}`,
      ),
      finding.why,
      finding.field,
      finding.play,
    ];
    return `<failure message="${escaped(lines[0] ?? "")}" type="${finding.severity}">${escaped(lines.join("\n"))}</failure>`;
  }
  if (why !== undefined) return `<skipped message="${escaped(why)}"/>`;
  return text === undefined ? "" : `<system-out>${escaped(text)}</system-out>`;
}
