import type { Statement } from "../sqlite/connection.js";
import type { SqlValue } from "../account/list.js";

/** The value of a column. */
export type Cell = SqlValue | Uint8Array;

/** Key of the fact that holds the number of rows, kept with each commit: see `Writer.rows`. */
export const ROWS_KEY = "rows";

/**
 * Writes rows to a recording, in their order, by group commits: after a kill the file holds a prefix of the rows and
 * their number.
 *
 * A row that cannot be written throws a StoreError, at once or at a later call; after that every call throws it.
 */
export interface Writer {
  /** Rows written by all writers since the recording was created; the durable rows are a prefix of them. */
  readonly rows: number;
  /** Writes one row: a statement that changes the recording, and its values. */
  write(statement: Statement, cells: readonly Cell[]): void;
  /** Returns when all rows are durable. Cheap when none is pending. */
  flush(): void;
  /** Calls back when all rows so far are durable: at once, or in a later turn of the event loop. Never on failure. */
  whenFlushed(then: () => void): void;
  /** Runs `act` in one transaction: all its rows are durable afterwards or, where it throws, none is written. */
  atomically<T>(act: () => T): T;
  /** From now on only `flush` and `whenFlushed` commit. */
  commitOnFlush(): void;
  /** Flushes where no failure was thrown before, and releases the file. */
  close(): void;
}
