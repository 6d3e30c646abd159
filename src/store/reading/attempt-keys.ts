import type { Connection, Statement } from "../sqlite/connection.js";
import { attemptIndex } from "../sqlite/schema/indexes.js";
import { hasIndex } from "../sqlite/tune.js";

/**
 * Finds the attempts of events in a recording that lacks the index for it, because it is being written or its run was
 * killed. Builds the index as a temporary table of the reader; the recording is not changed.
 */
export class AttemptKeys {
  /** The table to search, with the columns `channel`, `number`, `try` and `row`. */
  readonly table: string;
  /** SQL that joins each row of `event` with its attempts, as `attempt`(LEFT JOIN: an event without attempts stays). */
  readonly join: string;
  /** SQL from FROM on: the attempts of the outer query's row of `event`, as `attempt`. */
  readonly ofEvent: string;
  readonly #newest: Statement<[], number> | undefined;
  readonly #add: Statement<[number, number]> | undefined;
  #lastRow = 0;

  constructor(database: Connection) {
    const isOfEvent = (table: string): string => `${table}.channel = event.channel AND ${table}.number = event.number`;
    if (hasIndex(database, attemptIndex)) {
      this.table = "attempt";
      this.join = `LEFT JOIN attempt ON ${isOfEvent("attempt")}`;
      this.ofEvent = `FROM attempt WHERE ${isOfEvent("attempt")}`;
      return;
    }
    this.table = "temp.attempt_key";
    this.join = `LEFT JOIN temp.attempt_key AS key ON ${isOfEvent("key")} LEFT JOIN attempt ON attempt.row = key.row`;
    this.ofEvent = `FROM temp.attempt_key AS key CROSS JOIN attempt ON attempt.row = key.row WHERE ${isOfEvent("key")}`;
    database.exec(`CREATE TEMP TABLE IF NOT EXISTS attempt_key (
      channel INTEGER, number INTEGER, try INTEGER, row INTEGER, PRIMARY KEY (channel, number, try)) WITHOUT ROWID`);
    this.#newest = database.prepare<[], number>("SELECT coalesce(max(row), 0) FROM attempt", "value");
    // OR IGNORE: readers that share a connection share the temporary table.
    this.#add = database.prepare(
      "INSERT OR IGNORE INTO temp.attempt_key SELECT channel, number, try, row FROM attempt WHERE row > ? AND row <= ?",
    );
  }

  /** Adds the attempts that were recorded since the last call. Call it before each use of the table. */
  addNewAttempts(): void {
    const newest = this.#newest?.get() ?? 0;
    if (newest === this.#lastRow) return;
    this.#add?.run(this.#lastRow, newest);
    this.#lastRow = newest;
  }
}
