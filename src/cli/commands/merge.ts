import { Command } from "commander";
import { mergeRecordings } from "../../fleet/index.js";
import type { ExitCode, Io } from "../terminal/io.js";
import { showingProgress } from "../terminal/operation-line.js";
import { writeResult } from "../printing/write-result.js";

interface Flags {
  readonly output: string;
  readonly overwrite?: true;
  readonly json?: true;
  readonly quiet?: true;
}

export function mergeCommand(io: Io, end: (code: ExitCode) => void): Command {
  return new Command("merge")
    .description(
      "Joins the recordings of all parts of a fleet (run --shard) into one. It is the recording of a run that was not " +
        "divided: the same events and digest, one ledger, one report. The scenario's expectations are checked again.",
    )
    .argument("<recordings...>", "one recording per part, in any order")
    .requiredOption("-o, --output <file>", "file of the joined recording")
    .option("--overwrite", "replace a recording that is already there")
    .option("--json", "print the result as one JSON object on stdout")
    .option("-q, --quiet", "no summary")
    .addHelpText("after", examples)
    .action(async (paths: string[], flags: Flags) => {
      const { output, overwrite = false } = flags;
      const { result, exitCode } = await showingProgress(io, (onProgress) =>
        mergeRecordings(paths, { output, overwrite, onProgress }),
      );
      writeResult(result, flags, io);
      end(exitCode);
    });
}

const examples = `
Examples:
  handset run day.yaml --shard 1/2 --recording 1.db    on one machine
  handset run day.yaml --shard 2/2 --recording 2.db    on another
  handset merge 1.db 2.db -o day.db

Exit codes: those of run.`;
