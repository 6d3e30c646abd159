import { statSync } from "node:fs";
import { LabError } from "../../base/index.js";
import { queryFile, tableNames } from "../../store/index.js";
import { accessLogReader } from "../readers/access-log.js";
import { Columns } from "../readers/columns.js";
import { gorReader } from "../readers/gor.js";
import { harReader } from "../readers/har.js";
import { jsonlReader } from "../readers/jsonl.js";
import type { FieldSink, LogReader, RejectReason } from "../readers/log-reader.js";
import { messagesReader } from "../readers/messages.js";
import { ownEventsReader } from "../readers/own-events.js";
import { csvReader, RowEvents } from "../readers/rows.js";
import type { FieldLogOptions } from "./field-log-options.js";
import { type FieldFormat, recogniseFormat, type TextFormat } from "./recognise-format.js";
import { openSource, type SourceFile } from "./source-files.js";

/** How to read one source. */
export interface ReadSourceOptions extends FieldLogOptions {
  readonly timezone: string;
  /** Gets a sentence about what was assumed. */
  readonly note: (text: string) => void;
}

/** Records between two reports of progress of a query. */
const PROGRESS_ROWS = 1000;

/**
 * Reads one file.
 *
 * @returns its format
 * @throws LabError `bad-options`, `not-read`
 */
export async function readSource(
  source: SourceFile,
  options: ReadSourceOptions,
  sink: FieldSink,
): Promise<FieldFormat> {
  const total = source.path === "-" ? 0 : (statSync(source.path, { throwIfNoEntry: false })?.size ?? 0);
  const onBytes = (done: number): void => options.onProgress?.({ operation: "reading the log", done, total });
  const opened = await openSource(source, { stdin: options.stdin ?? process.stdin, onBytes });
  const columns = new Columns(options.columns);
  if (opened.isSqlite) {
    requireFormat(options.format, ["sqlite"], source.name);
    readQuery(source, { ...options, columns }, sink);
    return "sqlite";
  }
  const { format: named } = options;
  if (named === "sqlite") throw new LabError("bad-options", `${source.name} is not a SQLite file`);
  if (options.query !== undefined) {
    throw new LabError("bad-options", `${source.name} is not a SQLite file, so --query does not apply`);
  }
  const format = named ?? (options.logFormat === undefined ? recogniseFormat(opened.head, source.name) : "access-log");
  if (options.logFormat !== undefined && format !== "access-log") {
    throw new LabError("bad-options", `--log-format is for access logs, ${source.name} is ${format}`);
  }
  const counter = new BodyCounter(sink);
  const reader = readerOf(format, { ...options, columns, source: source.name, isList: isList(opened.head) }, counter);
  for await (const chunk of opened.chunks) reader.write(chunk);
  reader.end();
  if (format === "access-log" && counter.isWithoutBodies) throw withoutBodies(source.name, counter);
  if (format === "har" && counter.records === 0) throw new LabError("bad-options", `${source.name} has no entries`);
  return format;
}

type WithColumns = Omit<ReadSourceOptions, "columns"> & { readonly columns: Columns };

function readerOf(
  format: TextFormat,
  options: WithColumns & { readonly source: string; readonly isList: boolean },
  sink: FieldSink,
): LogReader {
  const { timezone, columns, logFormat } = options;
  switch (format) {
    case "jsonl":
      return jsonlReader(sink, options);
    case "access-log":
      return accessLogReader(sink, { timezone, columns, logFormat });
    case "har":
      return harReader(sink, timezone);
    case "csv":
      return csvReader(sink, options);
    case "gor":
      return gorReader(sink);
    case "events":
      return ownEventsReader(sink);
    case "messages":
      return messagesReader(sink);
  }
}

function isList(head: string): boolean {
  return head.trimStart().startsWith("[");
}

function requireFormat(format: FieldFormat | undefined, known: readonly FieldFormat[], name: string): void {
  if (format === undefined || known.includes(format)) return;
  throw new LabError("bad-options", `--format ${format}: ${name} is a SQLite file`);
}

function readQuery({ path, name }: SourceFile, options: WithColumns, sink: FieldSink): void {
  const { query, onProgress } = options;
  const rows = new RowEvents(sink, { ...options, source: name });
  let place = 0;
  try {
    if (query === undefined) {
      const tables = tableNames(path);
      throw new LabError("bad-options", `${name} is a SQLite file: say what to read`, {
        hint: `--query "SELECT * FROM ${tables[0] ?? "texts"}" (its tables: ${tables.join(", ")})`,
      });
    }
    queryFile(path, query, {
      onColumns: (names) => rows.header(names),
      onRow(values) {
        rows.row(++place, values);
        if (place % PROGRESS_ROWS === 0) onProgress?.({ operation: "reading the log", done: 0, total: 0 });
      },
    });
    rows.end();
  } catch (error) {
    if (error instanceof LabError) throw error;
    throw new LabError("bad-options", `the query on ${name} fails`, { cause: error });
  }
}

/** Counts what a log's lines have, to say when it logs no bodies at all. */
class BodyCounter implements FieldSink {
  readonly #sink: FieldSink;
  #events = 0;
  #bodies = 0;
  #bodiless = 0;
  records = 0;

  constructor(sink: FieldSink) {
    this.#sink = sink;
  }

  event(...[event]: Parameters<FieldSink["event"]>): void {
    this.#events++;
    this.records++;
    this.#sink.event(event);
  }

  reject(place: number, reason: RejectReason, text: string): void {
    this.records++;
    if (reason === "no body" || reason === "not a POST") this.#bodiless++;
    else if (reason === "no event" || reason === "not a form") this.#bodies++;
    this.#sink.reject(place, reason, text);
  }

  get isWithoutBodies(): boolean {
    return this.#events === 0 && this.#bodies === 0 && this.#bodiless > 0;
  }
}

const NGINX_FORMAT =
  'log_format bodies \'$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent ' +
  '"$http_referer" "$http_user_agent" "$request_body" $request_time $msec\';';

function withoutBodies(name: string, { records }: BodyCounter): LabError {
  return new LabError(
    "bad-options",
    `${name} logs no bodies of requests (${records} lines, none with a body), so it has no events`,
    {
      hint: [
        "nginx logs bodies with these lines (http block, then the location that passes requests on):",
        NGINX_FORMAT,
        "access_log /var/log/nginx/bodies.log bodies; client_body_buffer_size 64k; client_body_in_single_buffer on;",
        "Apache logs no bodies by itself: record with GoReplay (gor --input-raw :80 --input-raw-track-response " +
          "--output-file day.gor) or mitmproxy (--set hardump=day.har)",
      ].join("\n  "),
    },
  );
}
