import { accounts } from "../../ledger/index.js";
import { escaped } from "../html/markup.js";
import type { RunResult } from "../result.js";
import { leftText, verdictOf } from "../verdict.js";

interface TestCase {
  readonly name: string;
  /** Why the case failed. */
  readonly failure?: string;
  /** Why the case could not be judged. */
  readonly error?: string;
  /** Notices that do not fail the case. */
  readonly output?: string;
  /** What the receiver wrote to its stderr. */
  readonly errorOutput?: string;
}

/**
 * A result as JUnit XML for CI servers (the schema of Jenkins' xUnit plugin). Each expectation, each account of the
 * ledger, the run and its schedule is a test case. The reasons of the verdict `failed` are failures, those of `not
 * judged` are errors.
 *
 * @param startedWallMs - milliseconds since 1970
 */
export function renderJunit(result: RunResult, { startedWallMs }: { readonly startedWallMs: number }): string {
  const seconds = (result.wallMs / 1000).toFixed(3);
  const suites: [name: string, cases: TestCase[]][] = [
    ["expectations", result.expectations.map(expectationCase)],
    ["ledger", accounts.map((account) => ledgerCase(account, result.ledger[account].gap))],
    ["run", [runCase(result), ...scheduleCases(result), ...hostCases(result)]],
  ];
  const there = suites.filter(([, cases]) => cases.length > 0);
  const all = there.flatMap(([, cases]) => cases);
  const suite = ([name, cases]: [string, TestCase[]], index: number): string =>
    `  <testsuite name="${escaped(`${result.name}: ${name}`)}" ${counts(cases)} skipped="0" ` +
    `time="${index === 0 ? seconds : "0.000"}" timestamp="${new Date(startedWallMs).toISOString().slice(0, 19)}">\n` +
    (name === "run" ? properties(result) : "") +
    `${cases.map((one) => testcase(one, `${result.name}.${name}`)).join("")}  </testsuite>\n`;
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n` +
    `<testsuites name="${escaped(result.name)}" ${counts(all)} time="${seconds}">\n` +
    `${there.map(suite).join("")}</testsuites>\n`
  );
}

function counts(cases: readonly TestCase[]): string {
  const failures = cases.filter(({ failure }) => failure !== undefined).length;
  const errors = cases.filter(({ error }) => error !== undefined).length;
  return `tests="${cases.length}" failures="${failures}" errors="${errors}"`;
}

function properties(result: RunResult): string {
  const { fellBehind } = result;
  const { state, headline, finding } = verdictOf(result);
  const values = { verdict: state, headline: finding && headline, fellBehind };
  const lines = Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `      <property name="${name}" value="${escaped(String(value))}"/>\n`);
  return `    <properties>\n${lines.join("")}    </properties>\n`;
}

function testcase({ name, failure, error, output, errorOutput }: TestCase, classname: string): string {
  const opening = `    <testcase name="${escaped(name)}" classname="${escaped(classname)}" time="0.000"`;
  const parts = [
    ...(failure === undefined ? [] : [failureOf(escaped(failure))]),
    ...(error === undefined ? [] : [`<error message="${escaped(error)}" type="not-judged">${escaped(error)}</error>`]),
    ...(output === undefined ? [] : [`<system-out>${escaped(output)}</system-out>`]),
    ...(errorOutput === undefined ? [] : [`<system-err>${escaped(errorOutput)}</system-err>`]),
  ];
  if (parts.length === 0) return `${opening}/>\n`;
  return `${opening}>\n${parts.map((part) => `      ${part}\n`).join("")}    </testcase>\n`;
}

function failureOf(text: string): string {
  return `<failure message="${text.replaceAll("\n", " ")}" type="broken">${text}</failure>`;
}

function expectationCase({ text, held, seen, metric }: RunResult["expectations"][number]): TestCase {
  if (held) return { name: text };
  return { name: text, failure: `${text}: seen ${seen === "" ? "nothing" : seen}${leftText(metric?.clear)}` };
}

function ledgerCase(account: string, gap: number): TestCase {
  const name = `nothing is missing from the account of ${account}`;
  return gap === 0 ? { name } : { name, failure: `${gap} ${account} without a named cause` };
}

function runCase({ problems, isUnfinished, warnings = [], findings = [], receiver }: RunResult): TestCase {
  const output = [...warnings, ...findings.map(({ text }) => text)];
  const written = receiver === undefined ? "" : receiver.stderr || receiver.stdout;
  const told = problems.join("\n");
  return {
    name: "the run had no problems",
    ...(problems.length > 0 && (isUnfinished === true ? { error: told } : { failure: told })),
    ...(output.length > 0 && { output: output.join("\n") }),
    ...(written !== "" && { errorOutput: written }),
  };
}

/** The case of a paced run's schedule: an error if the load was not the requested one. */
function scheduleCases(result: RunResult): TestCase[] {
  if (result.punctuality === undefined && result.fellBehind !== true) return [];
  const late = verdictOf(result).lines.find(({ about }) => about === "schedule");
  return [{ name: "the run kept to its schedule", error: late?.text }];
}

/** A test case if this machine was busy: an error if the receiver's speed cannot be judged. */
function hostCases(result: RunResult): TestCase[] {
  const { state, lines } = verdictOf(result);
  const busy = lines.find(({ about }) => about === "host");
  if (busy === undefined) return [];
  const name = "the machine had cores for the run";
  return [state === "not judged" ? { name, error: busy.text } : { name, output: busy.text }];
}
