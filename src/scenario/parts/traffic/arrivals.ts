import * as z from "zod";
import { parseTimestamp } from "../../../wire/index.js";
import { type Arrival, groupsOf, type Selector, selectorText } from "../../../world/index.js";
import type { CastNames, CastKind } from "../../cast-names.js";
import { columnOf, type ReadFile, readTable, type Table } from "../../sheet/csv.js";
import { sourceOf } from "../../sheet/document.js";
import { field, keyed } from "../../sheet/field.js";
import { filledText, word } from "../../fields/fields.js";
import type { DocumentReader } from "../../sheet/document-reader.js";
import { durationLiteral, parseDuration } from "../../fields/values/duration.js";
import { readSelection } from "../../fields/values/selector.js";
import { readPlainText } from "../../fields/values/scalar.js";
import { isMap, type Path, type Problem, describeValue } from "../../sheet/raw-value.js";

const processes = ["poisson", "even", "burst"] as const;
type Process = (typeof processes)[number];

const processWord = word(processes, "How they are spread.").prefault("poisson");
const fileName = field(
  z.string(),
  (value, report) => readPlainText(value, report, "the name of a file"),
  "A file beside the scenario, with a time in each row.",
);
const timesMap = keyed({
  csv: fileName,
  column: filledText("The column of the times; default: its first one.").optional(),
  sender: filledText("The column of who sends, as selectors; without it all senders in turn.").optional(),
});

/** `arrivals` of an entry. */
export const arrivalsSchema: z.ZodType = z
  .union([processWord, timesMap])
  .describe("How they are spread: poisson, even, burst, or the times of a file.");

/** A file of arrival times, as the scenario refers to it. */
export type TimesFile = z.output<typeof timesMap>;

/** What the typed builder takes for `arrivals`. */
export type ArrivalsInput = z.input<typeof processWord> | z.input<typeof timesMap>;

/** Reads `arrivals`; undefined if it is invalid, which is then reported. */
export function readArrivals(reader: DocumentReader, path: Path): Process | TimesFile | undefined {
  return isMap(reader.at(path)) ? reader.read(timesMap, path) : reader.read(processWord, path);
}

/** The most arrivals that are read from a file, and the most problems reported in it. */
const mostArrivals = 1_000_000;
const mostFaults = 20;

/** Context for checking the rows of a file of times. */
export interface TimesContext {
  readonly names: CastNames;
  readonly readFile: ReadFile | undefined;
  readonly startsAtMs: number;
  readonly lastsMs: number;
  /** The kind of the senders, and those of the entry. */
  readonly kind: CastKind;
  readonly senders: Selector;
}

/** The arrivals of a CSV file, sorted by time; those of one instant in file order. */
export function readTimes(
  reader: DocumentReader,
  path: Path,
  given: TimesFile,
  context: TimesContext,
): readonly Arrival[] {
  const table = readTable(given.csv, context.readFile, mostArrivals + 1);
  if ("code" in table) return none(reader, [...path, "csv"], table);
  if (table.rows.length > mostArrivals) {
    return none(reader, [...path, "csv"], {
      code: "bad-file",
      message: `'${given.csv}' has more than ${mostArrivals} rows`,
    });
  }
  const column = columnOf(table, given.column);
  if (typeof column !== "number") return none(reader, [...path, "column"], column);
  const senderColumn = given.sender === undefined ? undefined : columnOf(table, given.sender);
  if (senderColumn !== undefined && typeof senderColumn !== "number") {
    return none(reader, [...path, "sender"], senderColumn);
  }
  if (senderColumn !== undefined && context.senders.share !== undefined) {
    const message = "'sender' cannot name single ones where the entry selects a share";
    reader.reportProblem([...path, "sender"], { code: "not-together", message, whole: true, on: "key" });
    return [];
  }
  const rows = new Rows(reader, table, context);
  const arrivals: Arrival[] = [];
  for (const { line, cells } of table.rows) {
    if (rows.faults >= mostFaults) break;
    const atMs = rows.timeOf(cells[column] ?? "", line);
    const sender = senderColumn === undefined ? "" : (cells[senderColumn] ?? "").trim();
    const senders = sender === "" ? undefined : rows.sendersOf(sender, line);
    if (atMs !== undefined) arrivals.push({ atMs, senders });
  }
  const late = arrivals.filter(({ atMs }) => atMs >= context.lastsMs).length;
  if (late > 0) {
    reader.reportProblem([...path, "csv"], {
      code: "past-end",
      message: `has ${late} of ${arrivals.length} times after the end: the scenario lasts ${durationLiteral(context.lastsMs)}`,
      severity: "warning",
    });
  }
  return arrivals.toSorted((a, b) => a.atMs - b.atMs);
}

function isWithin(one: Selector, all: Selector): boolean {
  const ranges = groupsOf(all);
  return groupsOf(one).every(({ group, from, to }) =>
    ranges.some((range) => group === range.group && from >= range.from && to <= range.to),
  );
}

function none(reader: DocumentReader, path: Path, problem: Problem): readonly Arrival[] {
  reader.reportProblem(path, { ...problem, whole: true });
  return [];
}

/** Reads the cells of a file's rows; problems are reported at the row. */
class Rows {
  faults = 0;
  readonly #reader: DocumentReader;
  readonly #table: Table;
  readonly #context: TimesContext;
  /** Selectors by text: the world compares selectors by identity, so equal texts share one. */
  readonly #senders = new Map<string, Selector | undefined>();

  constructor(reader: DocumentReader, table: Table, context: TimesContext) {
    this.#reader = reader;
    this.#table = table;
    this.#context = context;
  }

  /** From the start: a duration, seconds, or a timestamp. */
  timeOf(cell: string, line: number): number | undefined {
    const text = cell.trim();
    const atMs = this.#msOf(text);
    if (atMs === undefined) {
      const wanted = "a time from the start: 90s, 90.5 (seconds) or 2026-03-04T06:01:30.000Z";
      return this.#report(line, text, { code: "bad-value", message: `must be ${wanted}, got ${describeValue(text)}` });
    }
    if (atMs >= 0) return atMs;
    return this.#report(line, text, { code: "out-of-range", message: `${describeValue(text)} is before the start` });
  }

  #msOf(text: string): number | undefined {
    if (/^-?\d+(\.\d+)?$/.test(text)) return Math.round(Number(text) * 1000);
    const durationMs = parseDuration(text);
    if (durationMs !== undefined) return Math.round(durationMs);
    const timestampMs = parseTimestamp(text);
    return timestampMs === undefined ? undefined : Math.floor(timestampMs) - this.#context.startsAtMs;
  }

  sendersOf(text: string, line: number): Selector | undefined {
    if (this.#senders.has(text)) return this.#senders.get(text);
    const { names, kind, senders: all } = this.#context;
    const report = (problem: Problem): void => {
      this.#report(line, text, problem);
    };
    const before = this.faults;
    const selection = readSelection()(text, report);
    const selector = selection === undefined ? undefined : names.resolveSelection(selection, kind, report);
    if (selector !== undefined && this.faults === before && !isWithin(selector, all)) {
      const wanted = selectorText(all);
      report({ code: "out-of-range", message: `${describeValue(text)} is not among the entry's senders, ${wanted}` });
    }
    // A wrong text is reported in each row that has it.
    if (this.faults === before) this.#senders.set(text, selector);
    return selector;
  }

  #report(line: number, text: string, { code, message, hint }: Problem): undefined {
    this.faults++;
    const { file, text: whole } = this.#table;
    const source = { ...sourceOf(file, whole), isNamed: true };
    const start = startOf(whole, line);
    const end = endOf(whole, start);
    const within = text === "" ? -1 : whole.slice(start, end).indexOf(text);
    const from = start + Math.max(0, within);
    const span = { source, start: from, end: within < 0 ? end : from + text.length };
    this.#reader.reportProblemAt(span, { code, message, hint });
  }
}

function startOf(text: string, line: number): number {
  let start = 0;
  for (let at = 1; at < line; at++) start = text.indexOf("\n", start) + 1;
  return start;
}

function endOf(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end === -1 ? text.length : end;
}
