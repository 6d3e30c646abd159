import { Command, Option } from "commander";
import type { Scenario } from "../../lab/index.js";
import type { ExitCode, Io } from "../io.js";
import { list } from "../option-values.js";
import { loadScenario } from "../scenario-file.js";
import { clock, count } from "../words.js";

export function checkCommand(io: Io, end: (code: ExitCode) => void): Command {
  return new Command("check")
    .summary("say what is wrong with a scenario, without playing it")
    .argument("<file...>", "scenarios (YAML)")
    .addOption(new Option("--set <path=value>", "override a value; repeatable").argParser(list).default([], "none"))
    .action(async (files: string[], flags: { set: readonly string[] }) => {
      for (const file of files) {
        const scenario = await loadScenario(file, io, { set: flags.set });
        if (scenario === undefined) end(2);
        else io.stdout.write(`${file}: ok: ${outline(scenario)}\n`);
      }
    });
}

function outline({ cast, story, expect }: Scenario): string {
  const handsets = cast.handsets.reduce((sum, group) => sum + group.count, 0);
  const people = cast.people.reduce((sum, group) => sum + group.count, 0);
  const expectations = expect.length + story.filter((step) => step.input.to === "expect").length;
  return [
    counted(handsets, "handset"),
    counted(people, "person", "people"),
    counted(story.length, "story step"),
    counted(expectations, "expectation"),
    `lasts ${clock(cast.lastsMs)}`,
  ].join(", ");
}

function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}
