import type { RecordingReader } from "../../store/index.js";

const columns = [
  "channel",
  "number",
  "try",
  "due_at_ms",
  "effect_at_ms",
  "sent_wall_ms",
  "duration_ms",
  "latency_ms",
  "lateness_ms",
  "status",
  "error",
  "outcome",
  "body_bytes",
  "is_repeat",
] as const;

/** Rows in one piece of output. */
const PIECE_ROWS = 500;

/**
 * All attempts as CSV (RFC 4180, UTF-8, with a header) in recorded order. Each piece has whole lines. A null is an empty
 * field. The columns are those of the recording's table `attempt`.
 */
export function* csvPieces(recording: RecordingReader): Generator<string> {
  let piece = `${columns.join(",")}\r\n`;
  let rows = 0;
  for (const attempt of recording.attempts()) {
    piece += line([
      attempt.channel,
      attempt.number,
      attempt.try,
      attempt.dueAtMs,
      attempt.effectAtMs,
      attempt.sentWallMs,
      attempt.durationMs,
      attempt.latencyMs,
      attempt.latenessMs,
      attempt.status,
      attempt.error,
      attempt.outcome,
      attempt.bodyBytes,
      attempt.isRepeat ? 1 : 0,
    ]);
    if (++rows % PIECE_ROWS !== 0) continue;
    yield piece;
    piece = "";
  }
  yield piece;
}

function line(values: readonly (string | number | null)[]): string {
  return `${values.map((value) => (value === null ? "" : typeof value === "number" ? String(value) : quoted(value))).join(",")}\r\n`;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
