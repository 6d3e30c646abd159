import type { Connection, Statement } from "../sqlite/connection.js";
import type { DeferredRows } from "./deferred-rows.js";
import type { SqlValue } from "./list.js";

/** A recording's database to read from, and the recording's writer to write with. */
export interface SqlWriter {
  readonly database: Connection;
  readonly write: (statement: Statement, ...values: readonly (SqlValue | Uint8Array)[]) => void;
  readonly deferred: DeferredRows;
}

/**
 * Hands out ids above the highest one in the table or, for an AUTOINCREMENT column, above the highest one ever used.
 * Reads the table once.
 */
export class Counter {
  #next: number;

  /** @param column - integer key of the table; new rows get its highest value so far plus 1 */
  constructor(database: Connection, table: string, column = "id") {
    const highest = database.prepare<[], number>(
      `SELECT max(coalesce(max(${column}), 0),
      coalesce((SELECT seq FROM sqlite_sequence WHERE name = '${table}'), 0)) FROM ${table}`,
      "value",
    );
    this.#next = (highest.get() ?? 0) + 1;
  }

  /** Whether the table was empty and `next` has not been called. */
  get isAtStart(): boolean {
    return this.#next === 1;
  }

  /** The id that `next` returned last, or the highest one in the table. */
  get last(): number {
    return this.#next - 1;
  }

  next(): number {
    return this.#next++;
  }

  /** From now on `next` returns only ids above this one. */
  skipTo(id: number): void {
    this.#next = Math.max(this.#next, id + 1);
  }
}

/** SQL that inserts a row, or replaces the one with the same key: a parameter for each named column. */
export function replaceInto(table: string, columns: readonly string[]): string {
  return `INSERT OR REPLACE INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
}

/**
 * Writes whole rows of a table: inserts a row, or replaces the one with the same key.
 *
 * @param cellsOf - the values of a row by column; all rows have the same columns
 */
export function rowPutter<Row>(
  { database, write }: SqlWriter,
  table: string,
  cellsOf: (row: Row) => Readonly<Record<string, SqlValue>>,
): (row: Row) => void {
  let put: Statement | undefined;
  return (row) => {
    const cells = cellsOf(row);
    put ??= database.prepare(replaceInto(table, Object.keys(cells)));
    write(put, ...Object.values(cells));
  };
}
