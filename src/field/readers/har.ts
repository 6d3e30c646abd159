import { answerOf, millisecondsOf } from "./answers.js";
import { eventOfRequest, formOf, pathOf } from "./event-body.js";
import { JsonObjects } from "./json-objects.js";
import type { FieldSink, LogReader } from "./log-reader.js";
import { RecordTimes } from "./times.js";

/** What an entry of a HAR has for us; anything may be absent. */
interface HarEntry {
  readonly startedDateTime?: string;
  readonly time?: number;
  readonly request?: {
    readonly method?: string;
    readonly url?: string;
    readonly postData?: {
      readonly text?: string;
      readonly encoding?: string;
      readonly params?: readonly { readonly name?: string; readonly value?: string }[];
    };
  };
  readonly response?: {
    readonly status?: number;
    readonly content?: { readonly text?: string; readonly encoding?: string };
  };
  readonly _error?: string;
}

/**
 * Reads a HAR 1.2, an entry at a time, so files of any size. Browsers, mitmproxy and our own reports differ in
 * `postData`: the text counts as it is, else the list of parameters.
 */
export function harReader(sink: FieldSink, timezone: string): LogReader {
  const times = new RecordTimes(timezone);
  const entries = new JsonObjects("entries", (text, place) => {
    let entry: HarEntry;
    try {
      entry = JSON.parse(text) as HarEntry;
    } catch {
      sink.reject(place, "not JSON", text);
      return;
    }
    const { request, response, startedDateTime, time: tookMs } = entry;
    const found = eventOfRequest({
      method: request?.method?.toUpperCase(),
      path: request?.url === undefined ? undefined : pathOf(request.url),
      body: bodyOf(request?.postData),
    });
    const time = times.read(startedDateTime);
    if (typeof found === "string" || time === undefined || !("atMs" in time)) {
      sink.reject(place, typeof found === "string" ? found : "no time", text);
      return;
    }
    const { status, content } = response ?? {};
    const answer = answerOf({
      status,
      tookMs: millisecondsOf(tookMs),
      body: content?.encoding === "base64" ? fromBase64(content.text) : content?.text,
      ...(typeof entry._error === "string" && { error: entry._error }),
    });
    sink.event({ place, atMs: time.atMs, ...found, ...(answer !== undefined && { answer }) });
  });
  return {
    write: (text) => entries.write(text),
    end: () => {
      if (entries.isCut) sink.reject(entries.count + 1, "not JSON", entries.rest);
    },
  };
}

function bodyOf(posted: NonNullable<HarEntry["request"]>["postData"]): string {
  if (posted?.text !== undefined && posted.text !== "") {
    return posted.encoding === "base64" ? fromBase64(posted.text) : posted.text;
  }
  return formOf((posted?.params ?? []).map(({ name = "", value = "" }) => [name, value] as const));
}

function fromBase64(text = ""): string {
  return Buffer.from(text, "base64").toString();
}
