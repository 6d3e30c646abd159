import { eventKey, HostPressure, overlapsAny } from "../../measure/index.js";
import type { RecordingReader } from "../../store/index.js";

/** An event is late if it came to the receiver this much after the phone had it. Virtual milliseconds. */
export const LATE_MS = 300_000;
/** Its answer is late if it took this long… */
const SLOW_MS = 1000;
/** …and this many times the median answer. */
const SLOW_FACTOR = 3;

interface Delays {
  readonly count: number;
  readonly mostMs: number;
}

/** Events that came to the receiver late, or whose answer came late. */
export interface LateEvents {
  /** Events that came late from their phones. */
  readonly held: Delays;
  /** Events that came late because attempts before had failed. */
  readonly retried: Delays;
  /** Late answers, the median of all answers, and from when on one is late. */
  readonly slow: Delays & { readonly medianMs: number; readonly leastMs: number };
  /** All of them, by `eventKey`. */
  readonly keys: ReadonlySet<number>;
}

/**
 * The late events of a recording.
 *
 * @param leastMs - the limit for the way and for the answer; undefined: 5 min for the way; for answers 1 s and three times the
 *   median, without those in seconds in which other programs kept this machine busy
 */
export function lateEvents(recording: RecordingReader, leastMs?: number): LateEvents {
  const keys = new Set<number>();
  const wayMs = leastMs ?? LATE_MS;
  const late = recording.lateEvents(wayMs);
  for (const event of late) keys.add(eventKey(event));
  const { answers, medianMs, atLeastMs } = slowAnswers(recording, leastMs);
  for (const answer of answers) keys.add(eventKey(answer));
  return {
    held: delaysOf(late.filter(({ onPhoneMs }) => onPhoneMs >= wayMs).map(({ onPhoneMs }) => onPhoneMs)),
    retried: delaysOf(late.filter(({ onPhoneMs }) => onPhoneMs < wayMs).map(({ lateMs }) => lateMs)),
    slow: { ...delaysOf(answers.map(({ durationMs }) => durationMs)), medianMs, leastMs: atLeastMs },
    keys,
  };
}

function delaysOf(all: readonly number[]): Delays {
  return { count: all.length, mostMs: all.reduce((most, one) => Math.max(most, one), 0) };
}

function slowAnswers(
  recording: RecordingReader,
  leastMs: number | undefined,
): {
  readonly answers: ReturnType<RecordingReader["slowAnswers"]>;
  readonly medianMs: number;
  readonly atLeastMs: number;
} {
  const found = recording.slowAnswers(leastMs ?? SLOW_MS);
  if (leastMs !== undefined || found.length === 0)
    return { answers: found, medianMs: 0, atLeastMs: leastMs ?? SLOW_MS };
  const medianMs = recording.medianAnswerMs();
  const atLeastMs = Math.max(SLOW_MS, SLOW_FACTOR * medianMs);
  const host = new HostPressure();
  for (const second of recording.hostSeconds()) host.recordSecond(second);
  const busy = host.leftOut();
  const answers = found.filter(
    ({ sentWallMs, durationMs }) =>
      durationMs >= atLeastMs && !overlapsAny({ fromMs: sentWallMs, untilMs: sentWallMs + durationMs }, busy),
  );
  return { answers, medianMs, atLeastMs };
}
