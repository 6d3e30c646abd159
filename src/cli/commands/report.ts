import { closeSync, openSync, writeSync } from "node:fs";
import { Command, Option } from "commander";
import {
  compareRecordings,
  csvPieces,
  HAR_LIMIT,
  harPieces,
  LabError,
  openRecording,
  type RecordingReader,
  renderComparison,
  renderComparisonHtml,
  renderHtml,
  renderJson,
  renderJunit,
  renderSummary,
  reportPath,
  resultOf,
  writeReport,
} from "../../lab/index.js";
import { UsageError } from "../failures.js";
import type { Io } from "../io.js";
import { wholeNumber } from "../option-values.js";

const formats = ["text", "html", "json", "junit", "csv", "har"] as const;

interface Flags {
  readonly format: (typeof formats)[number];
  readonly output?: string;
  readonly compare?: string;
  readonly limit?: number;
  readonly json?: true;
}

export function reportCommand(io: Io): Command {
  return new Command("report")
    .description(
      "The report of a recording, also of one whose run was cut off: a summary, an HTML page that fetches nothing, or " +
        "what other tools read.",
    )
    .argument("<recording>", "file of the recording")
    .addOption(new Option("-f, --format <format>", "form of the report").choices(formats).default("text"))
    .option("-o, --output <file>", "where it goes (default: stdout; html: beside the recording)")
    .option("--compare <recording>", "what changed since another recording: text or html")
    .option("--limit <n>", `har: attempts at most (default: ${HAR_LIMIT})`, wholeNumber)
    .option("--json", "the result alone, as `run --json` printed it")
    .addHelpText("after", examples)
    .action(async (path: string, flags: Flags) => {
      const recording = openRecording(path);
      try {
        if (flags.compare === undefined) await report(recording, flags, io);
        else await compare(recording, flags.compare, flags, io);
      } finally {
        recording.close();
      }
    });
}

async function report(recording: RecordingReader, flags: Flags, io: Io): Promise<void> {
  if (flags.json === true) return put([`${JSON.stringify(resultOf(recording))}\n`], flags.output, io);
  switch (flags.format) {
    case "text":
      return put([renderSummary(resultOf(recording), styleOf(io, flags))], flags.output, io);
    case "html":
      return putPage(renderHtml(recording), flags.output ?? reportPath(recording.path), io, flags.output !== undefined);
    case "json":
      return put([renderJson(recording)], flags.output, io);
    case "junit":
      return put([renderJunit(resultOf(recording), recording.meta())], flags.output, io);
    case "csv":
      return put(csvPieces(recording), flags.output, io);
    case "har": {
      const { limit = HAR_LIMIT } = flags;
      const cut = (all: number): void =>
        io.stderr.write(`the first ${limit} of ${all} attempts; --limit takes more of them\n`);
      return put(harPieces(recording, { limit, cut }), flags.output, io);
    }
  }
}

/** The recording named first is the newer one: what is told is what changed since the other. */
async function compare(after: RecordingReader, path: string, flags: Flags, io: Io): Promise<void> {
  if (flags.format !== "text" && flags.format !== "html") {
    throw new UsageError(`two recordings are compared as text or html, not as ${flags.format}`);
  }
  const before = openRecording(path);
  try {
    const comparison = compareRecordings(before, after);
    if (flags.format === "text") return await put([renderComparison(comparison, styleOf(io, flags))], flags.output, io);
    const output = flags.output ?? reportPath(after.path).replace(/\.html$/, "-compared.html");
    putPage(renderComparisonHtml(comparison), output, io, flags.output !== undefined);
  } finally {
    before.close();
  }
}

/** A file is not coloured, and has no width of its own. */
function styleOf({ stdout }: Io, { output }: Flags): { colour: boolean; width: number } {
  return output === undefined ? { colour: stdout.colours > 0, width: stdout.columns } : { colour: false, width: 100 };
}

function putPage(page: string, path: string, io: Io, isAskedFor: boolean): void {
  if (path === ":memory:") throw new UsageError("a recording in memory has no place for a page: add -o FILE");
  const isWritten = onDisk(path, () => writeReport(path, page, { onlyReports: !isAskedFor }));
  if (!isWritten) throw new UsageError(`${path} is there already and is no report: add -o FILE`);
  io.stdout.write(`${path}\n`);
}

/** Piece after piece, no faster than whoever reads takes them. */
async function put(pieces: Iterable<string>, path: string | undefined, io: Io): Promise<void> {
  if (path === undefined) {
    for (const piece of pieces) {
      io.stdout.write(piece);
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

const examples = `
Examples:
  handset report recordings/power-cut-1.db --format html
  handset report recordings/power-cut-2.db --compare recordings/power-cut-1.db
  handset report recordings/power-cut-1.db --format junit -o junit.xml
  handset report recordings/power-cut-1.db --format csv | gzip > attempts.csv.gz`;
