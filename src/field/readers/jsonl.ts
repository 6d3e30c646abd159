import type { FieldEvent } from "../field-event.js";
import { answerOf, millisecondsOf } from "./answers.js";
import type { Columns } from "./columns.js";
import { bodyFault, formOf, pathOf } from "./event-body.js";
import { JsonObjects } from "./json-objects.js";
import { type FieldSink, Lines, type LogReader } from "./log-reader.js";
import { RecordTimes, RelativeTimes } from "./times.js";

/** Keys of a line that may have its time, the first that is present. */
const timeKeys = ["at", "ts", "timestamp", "@timestamp", "time"];

/** Keys of a line that are no fields of the event. */
const ownKeys = new Set(["at", "ts", "timestamp", "@timestamp", "path", "url", "with_previous", "ms", "answer"]);

type Json = Readonly<Record<string, unknown>>;

/** What the reader of JSON lines needs. */
export interface JsonlOptions {
  readonly timezone: string;
  readonly columns: Columns;
  /** Whether the source is one JSON list instead of lines. */
  readonly isList: boolean;
}

/**
 * Reads JSON lines, or one JSON list of objects. The event is a form text under `body`, an object of fields under
 * `fields` or `body`, or the line's own keys.
 */
export function jsonlReader(sink: FieldSink, { timezone, columns, isList }: JsonlOptions): LogReader {
  const times = new RecordTimes(timezone);
  const placed = new RelativeTimes(sink);
  const read = (text: string, place: number): void => {
    if (text.trim() === "") {
      sink.reject(place, "blank line", text);
      return;
    }
    const line = parseObject(text);
    if (line === undefined) {
      sink.reject(place, "not JSON", text);
      return;
    }
    const body = bodyOf(line, columns);
    const fault = bodyFault(body);
    if (fault !== undefined) {
      sink.reject(place, fault, text);
      return;
    }
    const time = times.read(valueOf(line, columns, "time", timeKeys));
    if (time === undefined) {
      sink.reject(place, "no time", text);
      return;
    }
    placed.add(eventOf(line, { place, body, columns }), time);
  };
  const objects = isList ? new JsonObjects(undefined, read) : new Lines(read);
  return {
    write: (text) => objects.write(text),
    end: () => {
      objects.end();
      if (objects instanceof JsonObjects && objects.isCut) sink.reject(objects.count + 1, "not JSON", objects.rest);
      placed.flush();
    },
  };
}

/** An object of JSON; undefined: it is something else. */
export function parseObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

function valueOf(line: Json, columns: Columns, role: string, keys: readonly string[]): unknown {
  const given = columns.columnOf(role);
  if (given !== undefined) return line[given];
  for (const key of keys) if (line[key] !== undefined && line[key] !== null) return line[key];
  return undefined;
}

/** The event's body: as it is, or made of fields. */
function bodyOf(line: Json, columns: Columns): string {
  const value = valueOf(line, columns, "body", ["body", "request_body"]);
  if (typeof value === "string") {
    // An application may log the decoded fields as JSON text.
    const inner = value.startsWith("{") ? parseObject(value) : undefined;
    return inner === undefined ? value : formOf(columns.fieldsOf(Object.entries(inner)));
  }
  if (isObject(value)) return formOf(columns.fieldsOf(Object.entries(value)));
  const { fields } = line;
  if (isObject(fields)) return formOf(columns.fieldsOf(Object.entries(fields)));
  const time = columns.columnOf("time");
  const own = Object.entries(line).filter(
    ([key, content]) =>
      !ownKeys.has(key) && key !== time && !(key === "status" && isHttpStatus(content)) && key !== "body",
  );
  return formOf(columns.fieldsOf(own));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An event's own field `status` is a letter. */
function isHttpStatus(value: unknown): boolean {
  return /^[1-5]\d\d$/.test(String(value));
}

function eventOf(line: Json, { place, body, columns }: { place: number; body: string; columns: Columns }): FieldEvent {
  const path = valueOf(line, columns, "path", ["path", "url"]);
  const status = valueOf(line, columns, "status", ["status"]);
  const text = valueOf(line, columns, "answer", ["answer"]);
  const answer = answerOf({
    ...(isHttpStatus(status) && { status }),
    tookMs: millisecondsOf(valueOf(line, columns, "ms", ["ms"])),
    body: typeof text === "string" ? text : isObject(text) ? JSON.stringify(text) : undefined,
  });
  return {
    place,
    atMs: 0,
    body,
    ...(typeof path === "string" && path !== "" && { path: pathOf(path) }),
    ...(line["with_previous"] === true && { isWithPrevious: true }),
    ...(answer !== undefined && { answer }),
  };
}
