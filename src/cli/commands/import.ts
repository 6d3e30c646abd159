import { Command, Option } from "commander";
import { fieldFormats, type FieldFormat } from "../../field/index.js";
import { importFieldLog } from "../../run/index.js";
import { importJson, renderImport } from "../printing/import-summary.js";
import { UsageError } from "../failures.js";
import type { ExitCode, Io } from "../terminal/io.js";
import { showingProgress } from "../terminal/operation-line.js";
import { writePainted } from "../terminal/paint.js";

interface Flags {
  readonly output?: string;
  readonly scenario?: string;
  readonly sends: boolean;
  readonly overwrite?: true;
  readonly format?: FieldFormat;
  readonly query?: string;
  readonly logFormat?: string;
  readonly columns?: readonly string[];
  readonly timezone?: string;
  readonly pseudonyms?: "on" | "off" | "keep-texts";
  readonly key?: string;
  readonly rejects?: string;
  readonly json?: true;
}

export function importCommand(io: Io, end: (code: ExitCode) => void): Command {
  return new Command("import")
    .description(
      "Reads field logs, such as an access log with request bodies, and shows what they have and what went wrong: with " +
        "phones, their network or the receiver. -o writes a recording, which events, report, replay, why and reconcile " +
        "open; --scenario writes the causes as a scenario. Each line is an event or rejected, with a reason. Pseudonyms " +
        "replace numbers, names and texts unless the log is of `handset events`.",
    )
    .argument("<files...>", "the logs, read as one; - is standard input; gzip is opened")
    .option("-o, --output <file>", "write a recording")
    .option("--scenario <file>", "write the day as a scenario, with its causes and their evidence")
    .option(
      "--no-sends",
      "leave the messages of the service out of the scenario, for a receiver that asks for them again",
    )
    .option("--overwrite", "replace existing files")
    .addOption(
      new Option("--format <format>", "name the format (default: recognised by the content)").choices(fieldFormats),
    )
    .option("--log-format <line>", "format line of the access log, as nginx (log_format) or Apache (LogFormat) has it")
    .option("--query <sql>", "query that reads the log from a SQLite file")
    .option("--columns <pairs>", "columns by role or field, such as time=ts,phone-time=sent_at,phone=msisdn", commas)
    .option("--timezone <zone>", "time zone of times without one (default: UTC)")
    .addOption(
      new Option(
        "--pseudonyms <mode>",
        "on; off; or keep-texts: all but texts and answers (default: on; off for a log of `handset events`)",
      ).choices(["on", "off", "keep-texts"]),
    )
    .option("--key <file>", "key of the pseudonyms, for the same ones in each import; created if missing")
    .option(
      "--rejects <file>",
      "write all rejected lines to this file, as JSON lines with their text, without pseudonyms",
    )
    .option("--json", "print the summary as one JSON object")
    .addHelpText("after", examples)
    .action(async (files: readonly string[], flags: Flags) => {
      const { output, ...options } = flags;
      if (!flags.sends && flags.scenario === undefined) {
        throw new UsageError("--no-sends says what the scenario leaves out: add --scenario FILE");
      }
      const imported = await showingProgress(io, (onProgress) =>
        importFieldLog(files, { ...options, recording: output, onProgress }),
      );
      imported.log.close();
      const shown = {
        recording: output,
        scenario: flags.scenario,
        source: readAgain(files, flags, imported.log.pseudonyms),
        timezone: flags.timezone ?? "UTC",
      };
      if (flags.json === true) io.stdout.write(`${JSON.stringify(importJson(imported, shown))}\n`);
      else {
        const page = { colour: io.stdout.colours > 0, width: io.stdout.columns };
        writePainted(
          io.stdout,
          renderImport(imported, { ...shown, ...page, hasRejectsFile: flags.rejects !== undefined }),
        );
      }
      // A file without a single event is no field log.
      end(imported.log.summary.events === 0 ? 2 : 0);
    });
}

/** The log's path and options, by which `handset reconcile` reads it as it was imported; undefined: it has none such. */
function readAgain(files: readonly string[], flags: Flags, pseudonyms: string): string | undefined {
  const [file] = files;
  const { key, timezone, query, format, logFormat, columns } = flags;
  if (file === undefined || file === "-" || files.length > 1) return undefined;
  if ([query, format, logFormat, columns].some((option) => option !== undefined)) return undefined;
  const log = timezone === undefined ? file : `${file} --timezone ${timezone}`;
  if (pseudonyms === "off") return log;
  return pseudonyms === "on" && key !== undefined ? `${log} --key ${key}` : undefined;
}

function commas(text: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), ...text.split(",").map((one) => one.trim())];
}

const examples = `
Examples:
  handset import access.log
  handset import access.log.1.gz access.log -o tuesday.db --scenario tuesday.yaml
  handset import app.sqlite --query "SELECT * FROM posts" --key team.key -o tuesday.db`;
