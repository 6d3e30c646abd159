import { Command } from "commander";
import { explain } from "../../inspect/index.js";
import { lifeJson, renderLife } from "../../report/index.js";
import type { Io } from "../terminal/io.js";
import { writePainted } from "../terminal/paint.js";

export function whyCommand(io: Io): Command {
  return new Command("why")
    .description(
      "Explains what happened to one event or message, step by step: who sent it, what delayed it, how often the phone " +
        "reported it, its events and their attempts, the replies and their fate.",
    )
    .argument("<recording>", "file of the recording")
    .argument("<id>", "id of an event (3/17), as `handset events` prints it; or the number of a message or a call")
    .option("--json", "print the story as one JSON object")
    .addHelpText("after", examples)
    .action((path: string, id: string, flags: { readonly json?: true }) => {
      const life = explain(path, id);
      const { colours, columns } = io.stdout;
      if (flags.json === true) io.stdout.write(`${JSON.stringify(lifeJson(life))}\n`);
      else writePainted(io.stdout, renderLife(life, { colour: colours > 0, width: columns }));
    });
}

const examples = `
Examples:
  handset why recordings/power-cut-1.db 3/17
  handset why recordings/power-cut-1.db 3145745 --json`;
