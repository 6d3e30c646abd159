import type { Connection } from "../sqlite/connection.js";

/** An event that was neither delivered nor given up when its recording was closed or killed. */
export interface UndeliveredEvent {
  readonly row: number;
  readonly channel: number;
  readonly number: number;
  readonly atMs: number;
  readonly type: string;
  readonly body: string;
  /** Attempts that were made; 0: none. */
  readonly tries: number;
}

/**
 * Posted events that were neither delivered nor given up, oldest first.
 *
 * @param options - `afterRow`: events up to this row are skipped; `attempts`: how many the preset allows for an event
 */
export function readUndelivered(
  database: Connection,
  { afterRow, attempts }: { readonly afterRow: number; readonly attempts: number },
): UndeliveredEvent[] {
  const last = (column: string): string => `(SELECT ${column} FROM attempt
    WHERE attempt.channel = event.channel AND attempt.number = event.number ORDER BY try DESC LIMIT 1)`;
  return database
    .prepare<[number, number], UndeliveredEvent>(
      `SELECT * FROM (
        SELECT row, channel, number, at_ms AS atMs, type, body, coalesce(${last("try")}, 0) AS tries,
          coalesce(${last("outcome")}, 'none') AS outcome
        FROM event WHERE row > ? AND is_posted = 1
      ) WHERE tries < ? AND outcome NOT IN ('accepted', 'refused', 'failed') ORDER BY row`,
    )
    .all(afterRow, attempts);
}
