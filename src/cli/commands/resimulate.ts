import { Command } from "commander";
import { resimulate } from "../../past/index.js";
import { several } from "../options/several.js";
import { resimulationText } from "../printing/resimulation-text.js";
import type { ExitCode, Io } from "../terminal/io.js";
import { showingProgress } from "../terminal/operation-line.js";
import { paint, writePainted } from "../terminal/paint.js";

interface Flags {
  readonly at?: string;
  readonly of?: readonly string[];
  readonly json?: true;
}

export function resimulateCommand(io: Io, end: (code: ExitCode) => void): Command {
  return new Command("resimulate")
    .description(
      "Plays a recorded run again from its recorded inputs, without the receiver. Compares each event with the recorded " +
        "one, and shows the state of the handsets at a time. Exit codes: 0 all events are the same, 1 one differs.",
    )
    .argument("<recording>", "file of the recording")
    .option("--at <time>", "virtual time (90m, 1:30:00) or an instant 2026-03-04T07:30:00Z (default: the end)")
    .addOption(several("--of <handsets>", "these handsets: clinic, clinic/3, clinic/0..4, or a phone number"))
    .option("--json", "print the result and each handset's whole state as one JSON object")
    .addHelpText("after", examples)
    .action(async (path: string, { at, of, json }: Flags) => {
      const result = await showingProgress(io, (onProgress) => resimulate(path, { at, of, onProgress }));
      if (json === true) io.stdout.write(`${JSON.stringify(result)}\n`);
      else {
        const page = { paint: paint(io.stdout), width: io.stdout.columns, isChosen: of !== undefined };
        writePainted(io.stdout, resimulationText(result, page));
      }
      end(result.difference === null ? 0 : 1);
    });
}

const examples = `
Examples:
  handset resimulate recordings/power-cut-1.db
  handset resimulate recordings/power-cut-1.db --at 1h23m --of clinic/3
  handset resimulate recordings/power-cut-1.db --at 1h23m --json`;
