import type { RecordedAttempt, RecordingReader } from "../../store/index.js";
import type { AttemptDetail } from "./figures.js";

/** Characters of a body that are shown. */
const BODY_MAX = 4000;
const HEADERS_MAX = 2000;

export interface DetailSource {
  readonly recording: RecordingReader;
  /** Names of handsets by channel. */
  readonly handsets: readonly string[];
  /** When an attempt was due, on the axis' clock. */
  readonly dueMs: (attempt: RecordedAttempt) => number;
}

/** Attempts with what went over the wire, read back by their rows. */
export function attemptDetailsOf(
  wanted: readonly { readonly kind: string; readonly row: number }[],
  { recording, handsets, dueMs }: DetailSource,
): AttemptDetail[] {
  const attempts = wanted.flatMap(({ kind, row }) => {
    const attempt = recording.attemptAt(row);
    return attempt === undefined ? [] : [{ kind, attempt }];
  });
  const events = new Map(
    recording.eventsOf(attempts.map(({ attempt }) => attempt)).map((event) => [keyOf(event), event]),
  );
  return attempts.map(({ kind, attempt }) => {
    const { channel, dueAtMs, latencyMs, durationMs, outcome, status, error, headers, body } = attempt;
    const event = events.get(keyOf(attempt));
    return {
      kind,
      handset: handsets[channel] ?? String(channel),
      type: event?.type ?? "",
      event: keyOf(attempt),
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

function keyOf({ channel, number }: { readonly channel: number; readonly number: number }): string {
  return `${channel}/${number}`;
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}
