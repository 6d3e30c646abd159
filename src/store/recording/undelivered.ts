import type { AttemptsMax } from "../../wire/index.js";
import type { Connection } from "../sqlite/connection.js";

/** An event that was neither delivered nor given up when its recording was closed or killed. */
export interface UndeliveredEvent {
  readonly row: number;
  readonly channel: number;
  readonly number: number;
  readonly atMs: number;
  readonly type: string;
  readonly body: string;
  /** Number of attempts so far. */
  readonly tries: number;
}

/**
 * Posted events that were neither delivered nor given up, oldest first.
 *
 * @param options - `afterRow`: events up to this row are skipped; the other two: see `AttemptsMax`
 */
export function readUndelivered(
  database: Connection,
  { afterRow, attempts, flowAttempts }: AttemptsMax & { readonly afterRow: number },
): UndeliveredEvent[] {
  const ofEvent = "FROM attempt WHERE attempt.channel = event.channel AND attempt.number = event.number";
  // The last attempt does not decide: an attempt by hand may follow the one that ended the delivery.
  return database
    .prepare<[number, number, number], UndeliveredEvent>(
      `SELECT * FROM (
        SELECT row, channel, number, at_ms AS atMs, type, body, coalesce((SELECT max(try) ${ofEvent}), 0) AS tries
        FROM event WHERE row > ? AND is_posted = 1
          AND NOT EXISTS (SELECT 1 ${ofEvent} AND outcome IN ('accepted', 'refused', 'failed'))
      ) WHERE tries < iif(type = 'flow', ?, ?) ORDER BY row`,
    )
    .all(afterRow, flowAttempts, attempts);
}
