import type { Connection } from "../sqlite/connection.js";
import { eventIndex, isFailure } from "../sqlite/schema/indexes.js";
import { hasIndex } from "../sqlite/tune.js";
import { type AttemptKeys } from "./attempt-keys.js";
import { type EventSelection, LIST, NOT_FORWARDED, UNTRIED } from "./event-selection.js";

/** Consecutive rows of the table `event`, both ends included. */
export interface RowRange {
  readonly first: number;
  readonly last: number;
}

/** A range with fewer rows is read whole, which takes some milliseconds. */
const ROWS_MIN = 20_000;

/** An index must exclude three quarters of a range: a row found by it costs about as much as four consecutive rows. */
const SHARE = 4;

/**
 * The rows of a range that can meet a selection, found by an index, ascending; undefined when no index narrows the
 * range enough. The caller still tests the conditions.
 */
export function narrowedRows(
  database: Connection,
  keys: () => AttemptKeys,
  { channels, outcomes }: EventSelection,
  { first, last }: RowRange,
): number[] | undefined {
  const count = last - first + 1;
  if (count < ROWS_MIN || (channels === undefined && outcomes === undefined)) return undefined;
  if (!hasIndex(database, eventIndex)) return undefined;
  const most = Math.floor(count / SHARE);
  const found = (select: string, values: readonly unknown[]): number[] | undefined => {
    const rows = database.prepare<unknown[], number>(`${select} LIMIT ?`, "value").all(...values, most + 1);
    return rows.length > most ? undefined : rows;
  };
  const events = `event INDEXED BY ${eventIndex}`;
  const isInRange = "+event.row BETWEEN ? AND ?";
  if (channels !== undefined) {
    const select = `SELECT row FROM ${events} WHERE channel IN ${LIST} AND ${isInRange}`;
    const rows = found(select, [JSON.stringify([...channels]), first, last]);
    if (rows !== undefined) return ascending(rows);
  }
  if (outcomes === undefined) return undefined;
  const tried = found(
    `SELECT event.row FROM attempt CROSS JOIN ${events} ON event.channel = attempt.channel AND event.number = attempt.number
      WHERE attempt.outcome IN ${LIST} AND ${isInRange}${outcomes.includes("accepted") ? "" : ` AND ${isFailure}`}`,
    [JSON.stringify(outcomes), first, last],
  );
  if (tried === undefined || !outcomes.some((word) => word === UNTRIED || word === NOT_FORWARDED)) {
    return tried && ascending(tried);
  }
  // Sorted like the index, so that the look-ups of attempts are sorted like theirs.
  const untried = found(
    `SELECT row FROM ${events} WHERE NOT EXISTS (SELECT 1 ${keys().ofEvent}) AND ${isInRange} ORDER BY channel, number`,
    [first, last],
  );
  return untried && ascending([...tried, ...untried]);
}

function ascending(rows: readonly number[]): number[] {
  return [...new Set(rows)].sort((a, b) => a - b);
}
