import type { Connection } from "../sqlite/connection.js";

/** An event whose delivery had not come to its end when its recording was closed or cut off. */
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
 * The events behind a row that were to be posted and have neither been accepted nor refused, the oldest first.
 *
 * @param options - `attempts`: so many are made of an event (the preset's)
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
