import type { Connection } from "../sqlite/connection.js";

/**
 * The first row whose event happened at this virtual time or later; one more than the newest row when there is none. A
 * binary search: rows are in the order of time, so no index is needed.
 */
export function firstRowFrom(database: Connection, atMs: number): number {
  const at = database.prepare<[number], number>(
    "SELECT at_ms FROM event WHERE row <= ? ORDER BY row DESC LIMIT 1",
    "value",
  );
  let [low, high] = [1, lastEventRow(database) + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((at.get(middle) ?? -Infinity) >= atMs) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The newest row, which is the number of events; 0 when there are none. */
export function lastEventRow(database: Connection): number {
  return database.prepare<[], number>("SELECT coalesce(max(row), 0) FROM event", "value").get() ?? 0;
}

/** The next row; undefined when there is none. Rows of a damaged recording may have gaps of any size. */
export function firstRowAfter(database: Connection, row: number): number | undefined {
  return database
    .prepare<[number], number>("SELECT row FROM event WHERE row > ? ORDER BY row LIMIT 1", "value")
    .get(row);
}
