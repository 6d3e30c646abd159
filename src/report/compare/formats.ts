import { escaped } from "../html/markup.js";
import type { Comparison } from "./compare.js";
import { findingLines } from "./phrases.js";

/** A comparison as one JSON object. */
export function renderComparisonJson(comparison: Comparison): string {
  return `${JSON.stringify(comparison)}\n`;
}

/** A comparison as JUnit XML: a case for each condition of `--fail-if`, and one with the conclusion. */
export function renderComparisonJunit(comparison: Comparison): string {
  const { before, conclusion, conditions, cautions } = comparison;
  const name = escaped(`${before.name}: two runs compared`);
  const failures = conditions.filter(({ hasFailed }) => hasFailed).length;
  const counts = `tests="${conditions.length + 1}" failures="${failures}" errors="0"`;
  const cases = conditions.map(({ text, hasFailed, seen }) => {
    const opening = `    <testcase name="${escaped(`not ${text}`)}" classname="${name}" time="0.000"`;
    const told = escaped(`${text}: ${seen}`);
    return hasFailed
      ? `${opening}>\n      <failure message="${told}" type="fail-if">${told}</failure>\n    </testcase>\n`
      : `${opening}/>\n`;
  });
  const output = escaped([conclusion.state, ...conclusion.lines, ...findingLines(comparison), ...cautions].join("\n"));
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${name}" ${counts} time="0.000">\n` +
    `  <testsuite name="${name}" ${counts} skipped="0" time="0.000">\n` +
    `    <properties>\n      <property name="conclusion" value="${conclusion.state}"/>\n    </properties>\n` +
    `    <testcase name="the runs can be compared" classname="${name}" time="0.000">\n` +
    `      <system-out>${output}</system-out>\n    </testcase>\n${cases.join("")}  </testsuite>\n</testsuites>\n`
  );
}
