import { statSync } from "node:fs";
import { Chalk } from "chalk";
import { Command } from "commander";
import { awaitParts, mergeRecordings } from "../../fleet/index.js";
import { UsageError } from "../failures.js";
import { duration } from "../options/values.js";
import { fleetScreen } from "../printing/fleet-lines.js";
import type { ExitCode, Io } from "../terminal/io.js";
import { liveOn } from "../terminal/live-lines.js";
import { showingProgress } from "../terminal/operation-line.js";
import { writeResult } from "../printing/write-result.js";

/** Shortest interval of lines in a log, and most parts that a line names. */
const LINE_MS = 10_000;
const NAMED_MAX = 5;

interface Flags {
  readonly output: string;
  readonly wait?: number;
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
    .argument(
      "<recordings...>",
      "one recording per part, in any order; or the folder of --start-when-all-ready: waits until all parts have ended",
    )
    .requiredOption("-o, --output <file>", "file of the joined recording")
    .option("--overwrite", "replace a recording that is already there")
    .option(
      "--wait <duration>",
      "a folder: longest wait without a sign of life of the missing parts (default: 1m)",
      duration,
    )
    .option("--json", "print the result as one JSON object on stdout")
    .option("-q, --quiet", "no summary")
    .addHelpText("after", examples)
    .action(async (paths: string[], flags: Flags) => {
      const { output, overwrite = false } = flags;
      const recordings = await recordingsIn(paths, flags, io);
      const { result, exitCode } = await showingProgress(io, (onProgress) =>
        mergeRecordings(recordings, { output, overwrite, onProgress }),
      );
      writeResult(result, flags, io);
      end(exitCode);
    });
}

/** The recordings themselves, or those of a folder, when all of its parts have ended. */
async function recordingsIn(paths: readonly string[], flags: Flags, io: Io): Promise<readonly string[]> {
  const [folder, ...others] = paths;
  const isFolder = folder !== undefined && statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder || others.length > 0) {
    if (flags.wait !== undefined) throw new UsageError("--wait is for the folder of run --start-when-all-ready");
    return paths;
  }
  const live = flags.quiet === true ? undefined : await liveOn(io.stderr);
  const paint = new Chalk({ level: io.stderr.colours });
  const controller = new AbortController();
  const stopListening = io.onInterrupt(() => controller.abort());
  let saidAt = performance.now();
  let said = "";
  try {
    return await awaitParts(folder, {
      waitMs: flags.wait,
      signal: controller.signal,
      onView(view, awaited) {
        if (awaited.length === 0 || flags.quiet === true) return;
        if (live !== undefined) live(fleetScreen(view, { columns: io.stderr.columns, paint }));
        const text = awaited.slice(0, NAMED_MAX).map(({ part, why }) => `part ${part}: ${why}`);
        const line = `waiting for ${awaited.length} of ${view.count} parts: ${text.join("; ")}\n`;
        if (live !== undefined || line === said || (said !== "" && performance.now() - saidAt < LINE_MS)) return;
        io.stderr.write(line);
        said = line;
        saidAt = performance.now();
      },
    });
  } finally {
    live?.clear();
    stopListening();
  }
}

const examples = `
Examples:
  handset run day.yaml --shard 1/2 --recording 1.db    on one machine
  handset run day.yaml --shard 2/2 --recording 2.db    on another
  handset merge 1.db 2.db -o day.db
  handset merge /shared/run-1 -o day.db --wait 10m     when all parts have ended

Exit codes: those of run.`;
