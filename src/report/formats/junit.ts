import { accounts } from "../../ledger/index.js";
import { escaped } from "../html/markup.js";
import type { RunResult } from "../result.js";

interface Case {
  readonly name: string;
  /** What was seen where it did not hold. */
  readonly failure?: string;
}

/**
 * A result as JUnit XML, as CI servers read it (the schema of Jenkins' xUnit plugin): the expectations, the ledger's
 * accounts and the run itself, a test case each.
 *
 * @param startedWallMs - milliseconds since 1970
 */
export function renderJunit(result: RunResult, { startedWallMs }: { readonly startedWallMs: number }): string {
  const seconds = (result.wallMs / 1000).toFixed(3);
  const suites: [name: string, cases: Case[]][] = [
    ["expectations", result.expectations.map(expectationCase)],
    ["ledger", accounts.map((account) => ledgerCase(account, result.ledger[account].gap))],
    ["run", [runCase(result)]],
  ];
  const there = suites.filter(([, cases]) => cases.length > 0);
  const all = there.flatMap(([, cases]) => cases);
  const suite = ([name, cases]: [string, Case[]], index: number): string =>
    `  <testsuite name="${escaped(`${result.name}: ${name}`)}" ${counts(cases)} errors="0" skipped="0" ` +
    `time="${index === 0 ? seconds : "0.000"}" timestamp="${new Date(startedWallMs).toISOString().slice(0, 19)}">\n` +
    `${cases.map((one) => testcase(one, `${result.name}.${name}`)).join("")}  </testsuite>\n`;
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n` +
    `<testsuites name="${escaped(result.name)}" ${counts(all)} errors="0" time="${seconds}">\n` +
    `${there.map(suite).join("")}</testsuites>\n`
  );
}

function counts(cases: readonly Case[]): string {
  return `tests="${cases.length}" failures="${cases.filter(({ failure }) => failure !== undefined).length}"`;
}

function testcase({ name, failure }: Case, classname: string): string {
  const opening = `    <testcase name="${escaped(name)}" classname="${escaped(classname)}" time="0.000"`;
  if (failure === undefined) return `${opening}/>\n`;
  const text = escaped(failure);
  return `${opening}>\n      <failure message="${text.replaceAll("\n", " ")}" type="broken">${text}</failure>\n    </testcase>\n`;
}

function expectationCase({ text, held, seen }: RunResult["expectations"][number]): Case {
  return held ? { name: text } : { name: text, failure: `${text}: seen ${seen === "" ? "nothing" : seen}` };
}

function ledgerCase(account: string, gap: number): Case {
  const name = `nothing is missing from the account of ${account}`;
  return gap === 0 ? { name } : { name, failure: `${gap} ${account} without a named cause` };
}

function runCase({ problems }: RunResult): Case {
  const name = "the run had no problems";
  return problems.length === 0 ? { name } : { name, failure: problems.join("\n") };
}
