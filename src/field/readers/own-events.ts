import type { FieldAnswer, FieldRetry } from "../field-event.js";
import { answerOf, millisecondsOf } from "./answers.js";
import { bodyFault, pathOf } from "./event-body.js";
import { parseObject } from "./jsonl.js";
import { type FieldSink, Lines, type LogReader } from "./log-reader.js";
import { RelativeTimes } from "./times.js";

/**
 * Reads the lines of `handset events`. Their times count from the start of the run, which the lines do not have, so
 * `RelativeTimes` finds it.
 */
export function ownEventsReader(sink: FieldSink): LogReader {
  const placed = new RelativeTimes(sink, 1);
  const lines = new Lines((text, place) => {
    if (text.trim() === "") {
      sink.reject(place, "blank line", text);
      return;
    }
    const line = parseObject(text);
    if (line === undefined) {
      sink.reject(place, "not JSON", text);
      return;
    }
    const { at, body, attempts } = line;
    const fault = typeof body === "string" ? bodyFault(body) : "no body";
    if (fault !== undefined || typeof body !== "string" || typeof at !== "number") {
      sink.reject(place, fault ?? "no time", text);
      return;
    }
    const [first, ...others] = Array.isArray(attempts) ? attempts.filter(isObject) : [];
    const answer = first === undefined ? undefined : attemptAnswer(first);
    const retries = others.map((one): FieldRetry => ({
      atMs: typeof one["due"] === "number" ? one["due"] : at,
      answer: attemptAnswer(one) ?? {},
    }));
    const url = first?.["url"];
    const event = {
      place,
      atMs: 0,
      body,
      // Our own lines hide the query.
      ...(typeof url === "string" && { path: pathOf(url).replace(/\?…$/, "") }),
      ...(answer !== undefined && { answer }),
      ...(retries.length > 0 && { retries }),
    };
    placed.add(event, { since: at });
  });
  return {
    write: (text) => lines.write(text),
    end: () => {
      lines.end();
      placed.flush();
    },
  };
}

function attemptAnswer(attempt: Readonly<Record<string, unknown>>): FieldAnswer | undefined {
  const { status, ms, answer, outcome, error } = attempt;
  return answerOf({
    status,
    tookMs: millisecondsOf(ms),
    ...(typeof answer === "string" && { body: answer }),
    ...(typeof error === "string" && { error: outcome === "timeout" ? "timeout" : error }),
  });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
