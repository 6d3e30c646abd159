import { Command } from "commander";
import { openRecording, renderSummary, resultOf } from "../../lab/index.js";
import type { Io } from "../io.js";

export function reportCommand(io: Io): Command {
  return new Command("report")
    .summary("the summary of a recording")
    .description("The summary of a recording, also of one whose run was cut off.")
    .argument("<recording>", "file of the recording")
    .option("--json", "as `run --json` printed it")
    .action((path: string, flags: { json?: true }) => {
      const recording = openRecording(path);
      try {
        const result = resultOf(recording);
        if (flags.json === true) io.stdout.write(`${JSON.stringify(result)}\n`);
        else io.stdout.write(renderSummary(result, { colour: io.stdout.colours > 0, width: io.stdout.columns }));
      } finally {
        recording.close();
      }
    });
}
