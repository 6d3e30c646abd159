import type { RecordedAttempt, RecordingReader } from "../../store/index.js";
import type { EventIndex } from "./events.js";
import type { Exchanged } from "./figures.js";

/** Characters of a body that are shown. */
const BODY_MAX = 4000;
const HEADERS_MAX = 2000;

export interface ExchangedAccess {
  readonly recording: RecordingReader;
  readonly events: EventIndex;
  /** Names of handsets by channel. */
  readonly handsets: readonly string[];
  /** When an attempt was due, on the axis' clock. */
  readonly dueMs: (attempt: RecordedAttempt) => number;
}

/** Attempts with what went over the wire, read back by their rows. */
export function exchanged(
  wanted: readonly { readonly kind: string; readonly row: number }[],
  { recording, events, handsets, dueMs }: ExchangedAccess,
): Exchanged[] {
  return wanted.flatMap(({ kind, row }) => {
    const attempt = recording.attemptAt(row);
    if (attempt === undefined) return [];
    const { channel, number, dueAtMs, latencyMs, durationMs, outcome, status, error, headers, body } = attempt;
    const eventRow = events.rowOf(channel, number);
    const event = eventRow === undefined ? undefined : recording.eventAt(eventRow);
    return {
      kind,
      handset: handsets[channel] ?? String(channel),
      type: event?.type ?? "",
      event: `${channel}/${number}`,
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
