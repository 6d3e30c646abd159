import type { RowSource } from "./row-source.js";
import { isForwarded } from "./select.js";

/** An event that came to the receiver late. */
export interface LateEvent {
  readonly channel: number;
  readonly number: number;
  /** From when the phone had it, to the request that was accepted, else the first one. Virtual milliseconds. */
  readonly lateMs: number;
  /** How much of it passed before the event was made: the phone, its syncs or the network held it up. */
  readonly onPhoneMs: number;
}

/** An answer that took long. */
export interface SlowAnswer {
  readonly channel: number;
  readonly number: number;
  readonly sentWallMs: number;
  readonly durationMs: number;
}

/** A flow's events were on no phone, so only their later tries make them late. */
const selectLate = `
  SELECT event.channel, event.number, coalesce(again.due_at_ms, event.at_ms) - coalesce(event.phone_at_ms, event.at_ms) AS lateMs,
    event.at_ms - coalesce(event.phone_at_ms, event.at_ms) AS onPhoneMs
  FROM event JOIN channel ON channel.id = event.channel AND ${isForwarded}
    LEFT JOIN (SELECT channel, number, min(due_at_ms) AS due_at_ms FROM attempt
      WHERE try > 1 AND outcome = 'accepted' GROUP BY channel, number) AS again
    ON again.channel = event.channel AND again.number = event.number
  WHERE event.is_posted = 1 AND lateMs >= ? ORDER BY event.row`;

const selectSlow = `SELECT channel, number, sent_wall_ms AS sentWallMs, duration_ms AS durationMs FROM attempt
  WHERE duration_ms >= ? AND status IS NOT NULL AND sent_wall_ms IS NOT NULL ORDER BY row`;

const selectMedian = `SELECT duration_ms FROM attempt WHERE status IS NOT NULL ORDER BY duration_ms
  LIMIT 1 OFFSET (SELECT count(*) / 2 FROM attempt WHERE status IS NOT NULL)`;

/** Events that came to the receiver at least this much after the phone had them. */
export function readLateEvents(source: RowSource, leastMs: number): LateEvent[] {
  return source.all<LateEvent>(selectLate, leastMs);
}

/** Answers that took at least this long. */
export function readSlowAnswers(source: RowSource, leastMs: number): SlowAnswer[] {
  return source.all<SlowAnswer>(selectSlow, leastMs);
}

/** The median time to an answer; 0 without any. */
export function readMedianAnswerMs(source: RowSource): number {
  return source.value<number>(selectMedian) ?? 0;
}
