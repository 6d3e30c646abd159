import { closeSync, openSync, writeSync } from "node:fs";
import { repeatable } from "../options/repeatable.js";
import { Command, Option } from "commander";
import { LabError } from "../../base/index.js";
import {
  compareRecordings,
  type FailIf,
  type FormatOptions,
  readFailIf,
  renderResult,
  type ReportFormat,
  reportFormats,
  reportPath,
  resultOf,
  writeReport,
} from "../../report/index.js";
import { openRecording, type RecordingReader } from "../../store/index.js";
import { UsageError } from "../failures.js";
import type { ExitCode, Io } from "../terminal/io.js";
import { wholeNumber } from "../options/values.js";
import { showingProgress } from "../terminal/operation-line.js";
import { writePainted } from "../terminal/paint.js";

interface Flags {
  /** The name of one of `reportFormats`. */
  readonly format: string;
  readonly output?: string;
  readonly compare?: string;
  readonly limit?: number;
  readonly failIf: readonly string[];
  readonly json?: true;
}

const formatNames = reportFormats.map(({ name }) => name);

/** Formats that can compare two recordings. */
const comparingNames = reportFormats.filter(({ comparison }) => comparison !== undefined).map(({ name }) => name);

/** Columns of a summary that goes to a file. */
const FILE_COLUMNS = 100;

export function reportCommand(io: Io, end: (code: ExitCode) => void): Command {
  return new Command("report")
    .description(
      "Writes the report of a recording: a summary, an HTML page without external resources, or a format that other " +
        "tools read. The recording of a killed run has a report, too.",
    )
    .argument("<recording>", "file of the recording")
    .addOption(new Option("-f, --format <format>", "format of the report").choices(formatNames).default("text"))
    .option("-o, --output <file>", "file to write (default: stdout; html: beside the recording)")
    .option(
      "--compare <recording>",
      `show what changed since this recording, as ${comparingNames.join(", ").replace(/, (?=\w+$)/, " or ")}`,
    )
    .addOption(
      repeatable(
        "--fail-if <condition>",
        'with --compare: exit with 1 if this is true: worse, new-findings, or a bound such as "delivery.p99 > 1.2x"; repeatable',
      ),
    )
    .option("--limit <n>", "har: maximum number of attempts", wholeNumber)
    .option("--json", "print only the result, as `run --json` does")
    .addHelpText("after", `${formatHelp()}${examples}`)
    .action((path: string, flags: Flags) =>
      showingProgress(io, async (onProgress, shown) => {
        const recording = openRecording(path, { onProgress });
        try {
          const { compare: older } = flags;
          if (older !== undefined) {
            end(await compare(recording, () => openRecording(older, { onProgress }), flags, shown));
          } else if (flags.failIf.length > 0) {
            throw new UsageError("--fail-if needs another run: add --compare RECORDING");
          } else await report(recording, flags, shown);
        } finally {
          recording.close();
        }
      }),
    );
}

async function report(recording: RecordingReader, flags: Flags, io: Io): Promise<void> {
  if (flags.json === true) return put([renderResult(resultOf(recording))], flags.output, io);
  const format = formatOf(flags);
  const pieces = format.pieces(recording, optionsOf(io, flags));
  if (format.isPage !== true) return put(pieces, flags.output, io, format);
  putPage([...pieces].join(""), flags.output ?? reportPath(recording.path), io, flags.output !== undefined);
}

/** Compares with an older recording: the one named first is the newer one. */
async function compare(
  after: RecordingReader,
  openOlder: () => RecordingReader,
  flags: Flags,
  io: Io,
): Promise<ExitCode> {
  const format = formatOf(flags);
  const { comparison: render } = format;
  if (render === undefined) {
    throw new UsageError(`two recordings are compared as ${comparingNames.join(" or ")}, not as ${flags.format}`);
  }
  const failIf = flags.failIf.map(condition);
  const before = openOlder();
  try {
    const comparison = compareRecordings(before, after, { failIf });
    const exitCode = comparison.conditions.some(({ hasFailed }) => hasFailed) ? 1 : 0;
    const text = render(comparison, optionsOf(io, flags));
    if (format.isPage !== true) {
      await put([text], flags.output, io, format);
      return exitCode;
    }
    const output = flags.output ?? reportPath(after.path).replace(/\.html$/, "-compared.html");
    putPage(text, output, io, flags.output !== undefined);
    return exitCode;
  } finally {
    before.close();
  }
}

function condition(text: string): FailIf {
  const read = readFailIf(text);
  if ("message" in read) throw new UsageError(`--fail-if: ${read.message}`, read.hint);
  return read;
}

function formatOf({ format: wanted }: Flags): ReportFormat {
  const format = reportFormats.find(({ name }) => name === wanted);
  if (format === undefined) throw new Error(`there is no report format '${wanted}'`);
  return format;
}

/** Format options: a file gets no colours and a fixed width. */
function optionsOf({ stdout, stderr }: Io, { output, limit }: Flags): FormatOptions {
  return {
    ...(output === undefined
      ? { colour: stdout.colours > 0, width: stdout.columns }
      : { colour: false, width: FILE_COLUMNS }),
    limit,
    note: (text) => {
      stderr.write(`${text}\n`);
    },
  };
}

function putPage(page: string, path: string, io: Io, isAskedFor: boolean): void {
  if (path === ":memory:") throw new UsageError("a recording in memory has no place for a page: add -o FILE");
  const isWritten = onDisk(path, () => writeReport(path, page, { onlyReports: !isAskedFor }));
  if (!isWritten) throw new UsageError(`${path} is there already and is no report: add -o FILE`);
  io.stdout.write(`${path}\n`);
}

/** Writes piece by piece, with back-pressure. */
async function put(pieces: Iterable<string>, path: string | undefined, io: Io, format?: ReportFormat): Promise<void> {
  if (path === undefined) {
    for (const piece of pieces) {
      if (format?.name === "text") writePainted(io.stdout, piece);
      else io.stdout.document?.(piece);
      await io.stdout.drained?.();
    }
    return;
  }
  const file = onDisk(path, () => openSync(path, "w"));
  try {
    for (const piece of pieces) onDisk(path, () => writeSync(file, piece));
  } finally {
    closeSync(file);
  }
}

function onDisk<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new LabError("not-written", `the report cannot be written to ${path}`, { cause: error });
  }
}

function formatHelp(): string {
  const longest = Math.max(...formatNames.map((name) => name.length));
  const lines = reportFormats.map(({ name, about }) => `  ${name.padEnd(longest)}  ${about}`);
  return `\nFormats:\n${lines.join("\n")}\n`;
}

const examples = `
Examples:
  handset report recordings/power-cut-1.db --format html
  handset report recordings/power-cut-2.db --compare recordings/power-cut-1.db
  handset report recordings/power-cut-2.db --compare recordings/power-cut-1.db --fail-if worse
  handset report recordings/power-cut-1.db --format junit -o junit.xml
  handset report recordings/power-cut-1.db --format csv | gzip > attempts.csv.gz`;
