import type { Statement } from "../sqlite/connection.js";
import type { Value } from "../account/list.js";

/** What a column is given. */
export type Cell = Value | Uint8Array;

/** Under this name the recording keeps how many rows have been handed to it: see `Writer.rows`. */
export const ROWS_KEY = "rows";

/**
 * Brings rows to a recording's file, in the order in which they come, in batches that are whole: after a kill the file
 * holds the first so many, and says how many.
 *
 * What cannot be written throws a StoreError, now or at a later call; after that nothing more is taken.
 */
export interface Writer {
  /** Rows handed over since the recording began, whoever wrote them: what is on disk is a beginning of them. */
  readonly rows: number;
  /** Hands over one row: a statement that changes the recording, and its values. */
  write(statement: Statement, cells: readonly Cell[]): void;
  /** Returns when all that was handed over is on disk. Cheap when there is nothing. */
  flush(): void;
  /** Calls back when all that was handed over until now is on disk: at once, or in a later turn. Never on failure. */
  whenFlushed(then: () => void): void;
  /** Rows of which either all are on disk afterwards or, where `act` throws, none. */
  atomically<T>(act: () => T): T;
  /** From now on only `flush` and `whenFlushed` make batches. */
  commitOnFlush(): void;
  /** Flushes if it can and lets go of the file. Not taken back by a failure that was thrown before. */
  close(): void;
}
