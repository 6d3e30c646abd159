import type { RecordingReader } from "../../store/index.js";
import type { Comparison } from "../compare/compare.js";
import { renderComparisonJson, renderComparisonJunit } from "../compare/formats.js";
import { renderComparisonHtml } from "../compare/html.js";
import { renderComparison } from "../compare/terminal.js";
import { renderHtml } from "../html/page.js";
import { resultOf } from "../result-of-recording.js";
import { renderSummary } from "../summary.js";
import { csvPieces } from "./csv.js";
import { HAR_LIMIT, harPieces } from "./har.js";
import { renderJson } from "./json.js";
import { renderJunit } from "./junit.js";

/** Options of a report format. */
export interface FormatOptions {
  readonly colour: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** Limit of entries, for formats that have one. */
  readonly limit?: number;
  /** Receives a notice that is not part of the report. */
  readonly note: (text: string) => void;
}

/** One format of the report. */
export interface ReportFormat {
  /** As in `--format`. */
  readonly name: string;
  /** One line for the help. */
  readonly about: string;
  /** The pieces of a recording's report, to be written one after the other. */
  readonly pieces: (recording: RecordingReader, options: FormatOptions) => Iterable<string>;
  /** Renders a comparison of two recordings; absent: this format shows one recording only. */
  readonly comparison?: (comparison: Comparison, options: FormatOptions) => string;
  /** Without `-o`, this format is written to a file next to the recording. */
  readonly isPage?: true;
}

/** Every report format. The command, its help and the tests use this list. */
export const reportFormats: readonly ReportFormat[] = [
  {
    name: "text",
    about: "the summary for a terminal",
    pieces: (recording, options) => [renderSummary(resultOf(recording), options)],
    comparison: renderComparison,
  },
  {
    name: "html",
    about: "one file without external resources: verdict, ledger, charts, failed and slowest attempts",
    pieces: (recording) => [renderHtml(recording)],
    comparison: renderComparisonHtml,
    isPage: true,
  },
  {
    name: "json",
    about: "the result as `run --json` prints it, with `findings` and `figures`",
    pieces: (recording) => [renderJson(recording)],
    comparison: renderComparisonJson,
  },
  {
    name: "junit",
    about: "expectations, ledger, run and schedule as test cases, for CI servers",
    pieces: (recording) => [renderJunit(resultOf(recording), recording.meta())],
    comparison: renderComparisonJunit,
  },
  {
    name: "csv",
    about: "one row per attempt (RFC 4180, UTF-8, with a header), in recorded order",
    pieces: csvPieces,
  },
  {
    name: "har",
    about: `attempts and calls of flows as HAR 1.2 with bodies; the first ${HAR_LIMIT}, or --limit`,
    pieces: (recording, { limit = HAR_LIMIT, note }) =>
      harPieces(recording, {
        limit,
        cut: (all, what) => note(`the first ${limit} of ${all} ${what}; --limit N includes more`),
      }),
  },
];
