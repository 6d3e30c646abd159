import { Command } from "commander";
import { repeatable } from "../options/repeatable.js";
import { flowProblems, missingInData } from "../../account/index.js";
import { filesBeside } from "../../lab/index.js";
import {
  type AccountFile,
  beatsOf,
  formatDiagnostics,
  kindOfFile,
  parseExact,
  type Scenario,
} from "../../scenario/index.js";
import { dataFilesOf, readAccount } from "../../control/index.js";
import type { ExitCode, Io } from "../terminal/io.js";
import { loadScenario, readText } from "../scenario-file.js";
import { missingText } from "../printing/missing-text.js";
import { clock, count } from "../printing/numbers.js";

export function checkCommand(io: Io, end: (code: ExitCode) => void): Command {
  return new Command("check")
    .description(
      "Finds mistakes in scenarios and account files without playing them. Each mistake is printed with its line, its " +
        "column and a hint. Exit codes: 0 no mistakes, 2 at least one.",
    )
    .argument("<file...>", "scenarios, bug files and account files (YAML), exports of accounts (JSON)")
    .addOption(repeatable("--set <path=value>", "override a value of the scenarios; repeatable"))
    .action(async (files: string[], flags: { set: readonly string[] }) => {
      const accounts = new Map<string, AccountFile | "broken">();
      for (const file of files) {
        const account = await readAccountFile(file, io);
        if (account !== undefined) accounts.set(file, account);
      }
      const all = [...accounts.values()].filter((account) => account !== "broken");
      for (const file of files) {
        const account = accounts.get(file);
        const found = account === undefined ? await checkScenario(file, flags.set, io) : checkedAccount(account, all);
        if (found === "broken") end(2);
        else io.stdout.write(`${file}: ${verdict(found)}: ${found.outline}\n${found.note}`);
      }
    });
}

/** What is said below the line of a file. */
interface Notes {
  readonly note: string;
  /** Number of things that flows refer to and that are missing. */
  readonly missing: number;
}

type Found = ({ readonly outline: string } & Notes) | "broken";

function checkedAccount(account: AccountFile | "broken", all: readonly AccountFile[]): Found {
  if (account === "broken") return account;
  const addsTo = all.every(({ isAddition }) => isAddition);
  return { outline: contents(account), ...notesOn([account], all, addsTo) };
}

async function checkScenario(file: string, set: readonly string[], io: Io): Promise<Found> {
  const text = readText(file);
  if (kindOfFile(text) === "exact") return checkExact(file, text, io);
  const scenario = await loadScenario(file, io, { set });
  if (scenario === undefined) return "broken";
  const read: (AccountFile | "broken")[] = [];
  for (const data of dataFilesOf(scenario)) read.push((await readAccountFile(data, io)) ?? "broken");
  const accounts = read.filter((account) => account !== "broken");
  if (accounts.length < read.length) return "broken";
  // A run begins with an empty account, so an addition finds only what the files before it have.
  const { note, missing } = notesOn(accounts, accounts, false);
  return { outline: outline(scenario), note: beatLines(scenario) + note, missing };
}

function checkExact(file: string, text: string, io: Io): Found {
  const { input, diagnostics } = parseExact(text, file);
  if (diagnostics.length > 0) io.stderr.write(formatDiagnostics(diagnostics, text));
  if (input === undefined) return "broken";
  const expectations = input.expect.length + input.logs.length + input.checks.length + (input.neverTwice ? 1 : 0);
  const outline = `${counted(input.requests.length, "request")}, ${counted(expectations, "expectation")}`;
  return { outline, note: "", missing: 0 };
}

/** @returns undefined when the file is neither an account file nor an export */
async function readAccountFile(file: string, io: Io): Promise<AccountFile | "broken" | undefined> {
  const text = readText(file);
  const kind = kindOfFile(text);
  if (kind !== "account" && kind !== "export") return undefined;
  const { account, diagnostics } = await readAccount(text, { file, readFile: filesBeside(file) });
  if (diagnostics.length > 0) io.stderr.write(formatDiagnostics(diagnostics, text));
  if (account === undefined) return "broken";
  // An export is checked as the whole of an account, although it can be added to another.
  return kind === "export" ? { ...account, isAddition: false } : account;
}

function verdict({ missing }: Notes): string {
  return missing === 0 ? "ok" : `ok, but ${count(missing)} missing`;
}

/**
 * What of the accounts' flows does not run, and what they refer to that none of all accounts has.
 *
 * @param addsTo - the files are added to an account that is not here, and that may have it
 */
function notesOn(accounts: readonly AccountFile[], all: readonly AccountFile[], addsTo: boolean): Notes {
  const problems = accounts.flatMap(flowProblems).map((problem) => `  note: ${problem}\n`);
  const missing = missingInData(accounts, all);
  const text = missingText(missing, { prefix: "note: ", isNeed: addsTo });
  return { note: problems.join("") + text, missing: addsTo ? 0 : missing.length };
}

function contents({ people, contacts, groups, fields, flows, campaigns, triggers }: AccountFile): string {
  const madeUp = people.reduce((sum, spec) => sum + spec.count, 0);
  return [
    counted(contacts.length + madeUp, "contact"),
    counted(groups.length, "group"),
    counted(fields.length, "field"),
    counted(flows.length, "flow"),
    counted(campaigns.length, "campaign"),
    counted(triggers.length, "trigger"),
  ].join(", ");
}

function outline({ cast, data = [], story, expect, checks = [] }: Scenario): string {
  const handsets = cast.handsets.reduce((sum, group) => sum + group.count, 0);
  const people = cast.people.reduce((sum, group) => sum + group.count, 0);
  const judging = story.filter(({ input }) => input.to === "expect" || input.to === "check").length;
  const expectations = expect.length + checks.length + judging;
  return [
    counted(handsets, "handset"),
    counted(people, "person", "people"),
    ...(data.length === 0 ? [] : [counted(data.length, "account file")]),
    counted(story.length, "story step"),
    counted(expectations, "expectation"),
    `lasts ${clock(cast.lastsMs)}`,
  ].join(", ");
}

/** A line for each beat, with its time. */
function beatLines({ story }: Scenario): string {
  const lines = beatsOf(story).map(
    ({ name, about, atMs }) => `  ${clock(atMs)}  ${name}${about === undefined ? "" : `: ${about}`}\n`,
  );
  return lines.join("");
}

function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}
