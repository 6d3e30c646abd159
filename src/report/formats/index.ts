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

/** What a form may go by beside the recording. */
export interface FormatOptions {
  readonly colour: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** Entries at most, of forms that have a limit. */
  readonly limit?: number;
  /** Takes a sentence that is not part of the report. */
  readonly note: (text: string) => void;
}

/** One form of the report. */
export interface ReportFormat {
  /** As in `--format`. */
  readonly name: string;
  /** What it is, in a line of help. */
  readonly about: string;
  /** The whole report of a recording, piece after piece. */
  readonly pieces: (recording: RecordingReader, options: FormatOptions) => Iterable<string>;
  /** Two recordings compared; absent: this form shows one only. */
  readonly comparison?: (comparison: Comparison, options: FormatOptions) => string;
  /** It is a page: without `-o` it goes to a file beside the recording. */
  readonly isPage?: true;
}

/** Every form of the report. The command, its help and the tests go through this list. */
export const reportFormats: readonly ReportFormat[] = [
  {
    name: "text",
    about: "the summary for a terminal",
    pieces: (recording, options) => [renderSummary(resultOf(recording), options)],
    comparison: renderComparison,
  },
  {
    name: "html",
    about: "one file that fetches nothing: verdict, ledger, charts, failed and slowest attempts",
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
    about: "a row an attempt (RFC 4180, UTF-8, a header), as recorded",
    pieces: csvPieces,
  },
  {
    name: "har",
    about: `attempts as HAR 1.2 with bodies; the first ${HAR_LIMIT}, or --limit`,
    pieces: (recording, { limit = HAR_LIMIT, note }) =>
      harPieces(recording, {
        limit,
        cut: (all) => note(`the first ${limit} of ${all} attempts; --limit takes more of them`),
      }),
  },
];
