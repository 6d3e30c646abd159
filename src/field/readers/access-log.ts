import { answerOf } from "./answers.js";
import type { Columns } from "./columns.js";
import { eventOfRequest, formOf } from "./event-body.js";
import { guessLogLine } from "./guess-log-line.js";
import { parseObject } from "./jsonl.js";
import { formatReader } from "./log-format.js";
import { type LogLine, logVariables } from "./log-line.js";
import { type FieldSink, Lines, type LogReader } from "./log-reader.js";
import { RecordTimes } from "./times.js";

/** What the reader of access logs needs. */
export interface AccessLogOptions {
  readonly timezone: string;
  readonly columns: Columns;
  /** The server's own format line; undefined: lines are recognised by what they look like. */
  readonly logFormat: string | undefined;
}

/**
 * Reads access logs of nginx and Apache, as text or JSON. nginx writes a line when a request has ended, so with the
 * time that it took the begin is known; Apache's `%t` is the begin itself.
 */
export function accessLogReader(sink: FieldSink, { timezone, columns, logFormat }: AccessLogOptions): LogReader {
  const times = new RecordTimes(timezone);
  const readText = logFormat === undefined ? guessLogLine : formatReader(logFormat);
  return new Lines((text, place) => {
    if (text.trim() === "") {
      sink.reject(place, "blank line", text);
      return;
    }
    const isJson = logFormat === undefined && text.trimStart().startsWith("{");
    const json = isJson ? parseObject(text) : undefined;
    const line = isJson ? json && jsonLine(json, columns) : readText(text);
    if (line === undefined) {
      sink.reject(place, isJson ? "not JSON" : "not a log line", text);
      return;
    }
    const [method = "", target] = line.request?.split(" ") ?? [];
    const path = line.path ?? target;
    const found = eventOfRequest({
      method: line.method ?? (method === "" ? undefined : method),
      path: line.query !== undefined && path?.includes("?") === false ? `${path}?${line.query}` : path,
      body: line.body ?? "",
    });
    if (typeof found === "string") {
      sink.reject(place, found, text);
      return;
    }
    const atMs = beginOf(line, times);
    if (atMs === undefined) {
      sink.reject(place, "no time", text);
      return;
    }
    const { status, tookMs, answer: body } = line;
    const answer = answerOf({ status, tookMs, body });
    sink.event({ place, atMs, ...found, ...(answer !== undefined && { answer }) });
  });
}

/**
 * When the request began. Where the log has whole seconds only, whole seconds are subtracted: lines of the same second
 * keep their order then, and a request of 30 s still comes before those that it outlasted.
 */
function beginOf({ seconds, iso, clf, tookMs = 0, isBegin }: LogLine, times: RecordTimes): number | undefined {
  const text = iso ?? clf ?? "";
  const precise = seconds === undefined ? undefined : times.read(seconds);
  const time = precise ?? (iso === undefined ? undefined : times.read(iso));
  const atMs = time !== undefined && "atMs" in time ? time.atMs : clf === undefined ? undefined : times.readClf(clf);
  if (atMs === undefined || isBegin === true) return atMs;
  const isWhole = precise === undefined && !/:\d\d[.,]\d/.test(text) && Number.isInteger(atMs / 1000);
  return Math.round((atMs - (isWhole ? Math.floor(tookMs / 1000) * 1000 : tookMs)) * 1000) / 1000;
}

/** A line of a JSON log; values may lie in nested objects. */
function jsonLine(json: object, columns: Columns): LogLine {
  const line: LogLine = {};
  const nested: object[] = [];
  for (const [key, value] of Object.entries(json) as [string, unknown][]) {
    const set = logVariables[key.toLowerCase()];
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      if (set === logVariables["body"]) line.body = formOf(Object.entries(value));
      else nested.push(value);
    } else if (set !== undefined && value !== null && value !== "" && value !== "-") set(line, textOf(value));
  }
  for (const inner of nested)
    for (const [key, value] of Object.entries(jsonLine(inner, columns))) setAbsent(line, key, value);
  for (const [role, column] of columns.given) {
    const value = (json as Readonly<Record<string, unknown>>)[column];
    const set = { time: logVariables["time"], ms: logVariables["duration_ms"] }[role] ?? logVariables[role];
    if (role === "body" && typeof value === "object" && value !== null) line.body = formOf(Object.entries(value));
    else if (value !== undefined && value !== null) set?.(line, textOf(value));
  }
  // `time` and `ts` may have the form of $time_local, or be a number.
  if (line.iso !== undefined && /^\d\d\/[A-Z]/.test(line.iso)) {
    line.clf = line.iso;
    delete line.iso;
  }
  return line;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function setAbsent(line: LogLine, key: string, value: unknown): void {
  const all = line as Record<string, unknown>;
  if (all[key] === undefined) all[key] = value;
}
