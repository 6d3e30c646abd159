import { writeFileSync } from "node:fs";
import { Command } from "commander";
import { LabError } from "../../base/index.js";
import { reconcileLog } from "../../inspect/index.js";
import { isReconciled, reconciliationJunit, renderReconciliation } from "../../report/index.js";
import type { ExitCode, Io } from "../terminal/io.js";
import { duration } from "../options/values.js";
import { showingProgress } from "../terminal/operation-line.js";
import { writePainted } from "../terminal/paint.js";

interface Flags {
  readonly query?: string;
  readonly columns?: readonly string[];
  readonly type?: readonly string[];
  readonly timezone?: string;
  readonly window?: number;
  readonly key?: string;
  readonly junit?: string;
  readonly json?: true;
}

export function reconcileCommand(io: Io, end: (code: ExitCode) => void): Command {
  return new Command("reconcile")
    .description(
      "Compares the receiver's own log or table with what was delivered to it. Lists what is missing, doubled, changed or " +
        "unknown. Columns are recognised by their contents; the report says what was compared and what was not. " +
        "Copies that the receiver dropped, and events that may not have arrived, are listed separately and are no " +
        "differences. Exit codes: 0 no differences in what was compared, 1 some.",
    )
    .argument("<recording>", "file of the recording")
    .argument("<file>", "the log: CSV with a header, JSON lines, SQLite with --query, or any log that import reads")
    .option("--query <sql>", "query that reads the log from a SQLite file")
    .option(
      "--columns <pairs>",
      "columns by role (id, number, type, phone, text, time), such as phone=msisdn,time=ts; number=none: there is none",
      commas,
    )
    .option(
      "--type <types>",
      "event types to compare; other rows are left out (default: those in the log, else mo_sms)",
      commas,
    )
    .option("--timezone <zone>", "time zone of times without one (default: UTC)")
    .option("--window <duration>", "without ids: largest difference of times in a match (default: 60s)", duration)
    .option("--key <file>", "key of the pseudonyms with which the recording's source was imported")
    .option("--junit <file>", "also write the result to this file as JUnit XML")
    .option("--json", "print the result as one JSON object")
    .action(async (path: string, file: string, flags: Flags) => {
      const { query, columns, type, timezone, window, key } = flags;
      const options = { query, columns, types: type, timezone, windowMs: window, key };
      const result = await showingProgress(io, (onProgress) => reconcileLog(path, file, { ...options, onProgress }));
      if (flags.junit !== undefined) writeJunit(flags.junit, reconciliationJunit(result));
      const page = { colour: io.stdout.colours > 0, width: io.stdout.columns };
      const isGood = isReconciled(result);
      if (flags.json === true) io.stdout.write(`${JSON.stringify({ agrees: isGood, ...result })}\n`);
      else writePainted(io.stdout, renderReconciliation(result, page));
      end(isGood ? 0 : 1);
    });
}

function writeJunit(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new LabError("not-written", `the report cannot be written to ${path}`, { cause: error });
  }
}

function commas(text: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), ...text.split(",").map((one) => one.trim())];
}
