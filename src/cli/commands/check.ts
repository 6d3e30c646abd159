import { Command, Option } from "commander";
import { flowProblems } from "../../account/index.js";
import { filesBeside } from "../../lab/index.js";
import { type AccountFile, beatsOf, formatDiagnostics, kindOfFile, type Scenario } from "../../scenario/index.js";
import { dataFilesOf, readAccount } from "../../serve/index.js";
import type { ExitCode, Io } from "../terminal/io.js";
import { list } from "../options/values.js";
import { loadScenario, readText } from "../scenario-file.js";
import { clock, count } from "../printing/numbers.js";

export function checkCommand(io: Io, end: (code: ExitCode) => void): Command {
  return new Command("check")
    .argument("<file...>", "scenarios and account files (YAML), exports of accounts (JSON)")
    .addOption(
      new Option("--set <path=value>", "override a value of the scenarios; repeatable")
        .argParser(list)
        .default([], "none"),
    )
    .action(async (files: string[], flags: { set: readonly string[] }) => {
      for (const file of files) {
        const found = (await checkAccount(file, io)) ?? (await checkScenario(file, flags.set, io));
        if (found === "broken") end(2);
        else io.stdout.write(`${file}: ok: ${found.outline}\n${found.note ?? ""}`);
      }
    });
}

type Found = { readonly outline: string; readonly note?: string } | "broken";

async function checkScenario(file: string, set: readonly string[], io: Io): Promise<Found> {
  const scenario = await loadScenario(file, io, { set });
  if (scenario === undefined) return "broken";
  const accounts: Found[] = [];
  for (const data of dataFilesOf(scenario)) accounts.push((await checkAccount(data, io)) ?? "broken");
  return accounts.includes("broken") ? "broken" : { outline: outline(scenario), note: beatLines(scenario) };
}

/** @returns undefined when the file is neither an account file nor an export */
async function checkAccount(file: string, io: Io): Promise<Found | undefined> {
  const text = readText(file);
  const kind = kindOfFile(text);
  if (kind !== "account" && kind !== "export") return undefined;
  const { account, diagnostics } = await readAccount(text, { file, readFile: filesBeside(file) });
  if (diagnostics.length > 0) io.stderr.write(formatDiagnostics(diagnostics, text));
  if (account === undefined) return "broken";
  const notes = flowProblems(account).map((problem) => `  note: ${problem}\n`);
  return { outline: contents(account), note: notes.join("") };
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

function outline({ cast, data = [], story, expect }: Scenario): string {
  const handsets = cast.handsets.reduce((sum, group) => sum + group.count, 0);
  const people = cast.people.reduce((sum, group) => sum + group.count, 0);
  const expectations = expect.length + story.filter((step) => step.input.to === "expect").length;
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
