import { Command } from "commander";
import { explain } from "../../inspect/index.js";
import { lifeJson, renderLife } from "../../report/index.js";
import type { Io } from "../terminal/io.js";
import { writePainted } from "../terminal/paint.js";

export function whyCommand(io: Io): Command {
  return new Command("why")
    .description(
      "What happened to one event or message, in order, and why: who sent it, what held it, how often the phone " +
        "reported it, the events and their attempts, replies, and what became of them.",
    )
    .argument("<recording>", "file of the recording")
    .argument("<id>", "an event, as `handset events` prints its id (3/17); or the number of a message or a call")
    .option("--json", "print it as one JSON object")
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
