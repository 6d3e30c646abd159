import { eventId } from "../../measure/index.js";
import type { RecordedAttempt, RecordingReader } from "../../store/index.js";
import type { AttemptDetail } from "./figures.js";

/** Characters shown of a body, and of the headers. */
const BODY_MAX = 4000;
const HEADERS_MAX = 2000;

/** Where the details of an attempt come from. */
export interface DetailSource {
  readonly recording: RecordingReader;
  /** Names of handsets by channel. */
  readonly handsets: readonly string[];
  /** Due time of an attempt, on the axis' clock. */
  readonly dueMs: (attempt: RecordedAttempt) => number;
}

/** Reads attempts by their rows, with request and answer. */
export function attemptDetailsOf(
  wanted: readonly { readonly kind: string; readonly row: number }[],
  { recording, handsets, dueMs }: DetailSource,
): AttemptDetail[] {
  const attempts = wanted.flatMap(({ kind, row }) => {
    const attempt = recording.attemptAt(row);
    return attempt === undefined ? [] : [{ kind, attempt }];
  });
  const events = new Map(
    recording.eventsOf(attempts.map(({ attempt }) => attempt)).map((event) => [eventId(event), event]),
  );
  return attempts.map(({ kind, attempt }) => {
    const { channel, dueAtMs, latencyMs, durationMs, outcome, status, error, headers, body } = attempt;
    const event = events.get(eventId(attempt));
    return {
      kind,
      handset: handsets[channel] ?? String(channel),
      type: event?.type ?? "",
      event: eventId(attempt),
      try: attempt.try,
      dueMs: dueMs(attempt),
      dueAtMs,
      latencyMs,
      durationMs,
      outcome,
      status,
      error,
      request: cut(event?.body ?? "", BODY_MAX),
      answerHeaders: headers === null ? null : cut(headers, HEADERS_MAX),
      answer: body === null ? null : cut(new TextDecoder().decode(body.subarray(0, 4 * BODY_MAX)), BODY_MAX),
      answerBytes: attempt.bodyBytes,
    };
  });
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}
