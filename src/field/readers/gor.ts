import type { FieldEvent } from "../field-event.js";
import { answerOf } from "./answers.js";
import { eventOfRequest, pathOf } from "./event-body.js";
import type { FieldSink, LogReader } from "./log-reader.js";

/** Between two records of a file of GoReplay. */
const SEPARATOR = "\n🐵🙈🙉\n";

/** Requests whose answer is still awaited: a longer list would grow with the file where answers were not captured. */
const WAITING_MAX = 4096;

interface Waiting {
  readonly event: FieldEvent;
  readonly id: string;
  isAnswered: boolean;
  answered?: FieldEvent;
}

/**
 * Reads GoReplay's text format. A record begins with `1 ID NANOSECONDS` (a request) or `2 ID NANOSECONDS LATENCY` (its
 * answer), then HTTP as it was on the wire. Answers of a replay (`3`) are ignored. Requests are the records that count:
 * an answer belongs to the request of its id.
 */
export function gorReader(sink: FieldSink): LogReader {
  const waiting: Waiting[] = [];
  const byId = new Map<string, Waiting>();
  let rest = "";
  let place = 0;

  const release = (count: number): void => {
    for (const { event, answered, id } of waiting.splice(0, count)) {
      sink.event(answered ?? event);
      byId.delete(id);
    }
  };
  const releaseAnswered = (): void => {
    let count = 0;
    while (waiting[count]?.isAnswered === true) count++;
    if (count === 0 && waiting.length >= WAITING_MAX) count = 1;
    if (count > 0) release(count);
  };

  const readRecord = (record: string): void => {
    const head = /^([123]) (\S+) (\d+)(?: (\d+))?[^\n]*\n/.exec(record);
    if (head === null) {
      if (record.trim() !== "") sink.reject(++place, "not an HTTP request", record);
      return;
    }
    const [line, kind, id = "", time = "", latency = ""] = head;
    const payload = record.slice(line.length);
    if (kind === "1") {
      place++;
      const http = parseHttp(payload);
      const [method = "", target = ""] = http?.first.split(" ") ?? [];
      if (http === undefined || !/^[A-Z]+$/.test(method)) {
        sink.reject(place, "not an HTTP request", record);
        return;
      }
      const found = eventOfRequest({ method, path: pathOf(target), body: http.body });
      if (typeof found === "string") {
        sink.reject(place, found, record);
        return;
      }
      const one: Waiting = { event: { place, atMs: nanosecondsToMs(time), ...found }, id, isAnswered: false };
      waiting.push(one);
      byId.set(id, one);
      releaseAnswered();
    } else if (kind === "2") {
      const one = byId.get(id);
      if (one === undefined) return;
      const http = parseHttp(payload);
      const answer = answerOf({
        status: /^HTTP\/\S+ (\d{3})/.exec(http?.first ?? "")?.[1],
        ...tookOf(time, latency, one.event.atMs),
        body: http?.body,
      });
      one.isAnswered = true;
      if (answer !== undefined) one.answered = { ...one.event, answer };
      releaseAnswered();
    }
  };

  return {
    write(text) {
      const records = (rest + text).split(SEPARATOR);
      rest = records.pop() ?? "";
      for (const record of records) readRecord(record);
    },
    end() {
      if (rest !== "") readRecord(rest.endsWith("\n🐵🙈🙉") ? rest.slice(0, -SEPARATOR.length + 1) : rest);
      release(waiting.length);
    },
  };
}

function nanosecondsToMs(text: string): number {
  // As whole milliseconds and the rest: 19 digits exceed the precision of a number.
  return Number(text.slice(0, -6)) + Math.floor(Number(text.slice(-6)) / 1000) / 1000;
}

/** The fourth number of an answer is its latency; versions without it have the latency or the instant as the third. */
function tookOf(time: string, latency: string, sentAtMs: number): { readonly tookMs?: number } {
  if (latency !== "" && latency !== "0") return { tookMs: Number(latency) / 1e6 };
  if (time.length < 16) return { tookMs: Number(time) / 1e6 };
  const tookMs = nanosecondsToMs(time) - sentAtMs;
  return tookMs >= 0 ? { tookMs: Math.round(tookMs * 1000) / 1000 } : {};
}

/** First line and body of a message of HTTP/1; undefined: its headers have no end. */
function parseHttp(text: string): { readonly first: string; readonly body: string } | undefined {
  const crlf = text.indexOf("\r\n\r\n");
  const end = crlf === -1 ? text.indexOf("\n\n") : crlf;
  if (end === -1) return undefined;
  const head = text.slice(0, end);
  const body = text.slice(end + (crlf === -1 ? 2 : 4));
  const isChunked = /\ntransfer-encoding:[^\n]*\bchunked\b/i.test(head);
  return { first: head.slice(0, head.search(/\r?\n|$/)), body: isChunked ? withoutChunks(body) : body };
}

/** A body without the sizes of its chunks, as far as it is there. Sizes count bytes. */
function withoutChunks(text: string): string {
  const bytes = Buffer.from(text);
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd === -1) break;
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    if (!(size > 0)) break;
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return Buffer.concat(chunks).toString();
}
