import type { Connection, Statement } from "../sqlite/connection.js";
import type { CellBuffer } from "./row-codec.js";
import type { Cell } from "./writer.js";

/**
 * Rows per multi-row INSERT, largest first. One SQLite call takes as long as inserting a short row, so batching halves
 * the time; more than 16 rows save nothing further.
 */
const ROWS_PER_CALL = [16, 4, 1] as const;

/** Matches a statement that only appends one row: captures the table and the row's values. */
const APPENDING = /^(INSERT INTO (\w+)\s+VALUES )(\([^()]*\))$/;

/** One statement and its pending rows. */
class PendingRows implements CellBuffer {
  /** The table that it appends to; undefined for any other statement. */
  readonly table: string | undefined;
  /** Reused from batch to batch and never shortened: cells from `count` on are stale. */
  readonly cells: Cell[] = [];
  count = 0;
  readonly #database: Connection;
  readonly #sql: (rows: number) => string;
  readonly #prepared = new Map<number, Statement>();
  #rows = 0;

  constructor(database: Connection, sql: string) {
    this.#database = database;
    const [, insert = "", table, row = ""] = APPENDING.exec(sql) ?? [];
    this.table = table;
    this.#sql = (rows) => (table === undefined ? sql : insert + Array.from({ length: rows }, () => row).join());
  }

  /** Counts a row whose cells are in `cells` now. */
  addRow(): void {
    if (++this.#rows === ROWS_PER_CALL[0]) this.write();
  }

  write(): void {
    const { cells } = this;
    const columns = this.count / this.#rows;
    let from = 0;
    for (const rows of ROWS_PER_CALL) {
      for (; this.#rows >= rows; this.#rows -= rows) {
        const end = from + rows * columns;
        this.#of(rows).run(...(from === 0 && end === cells.length ? cells : cells.slice(from, end)));
        from = end;
      }
    }
    this.count = 0;
  }

  discard(): void {
    this.count = 0;
    this.#rows = 0;
  }

  #of(rows: number): Statement {
    let statement = this.#prepared.get(rows);
    if (statement === undefined) this.#prepared.set(rows, (statement = this.#database.prepare(this.#sql(rows))));
    return statement;
  }
}

/**
 * Batches inserts: up to 16 rows for one table become one call of a multi-row INSERT. The order between tables makes
 * no difference inside a transaction. Any other statement (UPDATE, DELETE, REPLACE) first writes the pending inserts,
 * so that it sees them.
 */
export class RowBatcher {
  readonly #database: Connection;
  readonly #statements: PendingRows[] = [];
  /** By SQL: each batch of the ring declares its statements again. */
  readonly #bySql = new Map<string, PendingRows>();
  /** By table: the statement with pending rows for it. */
  readonly #open = new Map<string, PendingRows>();

  constructor(database: Connection) {
    this.#database = database;
  }

  statement(number: number, sql: string): void {
    let statement = this.#bySql.get(sql);
    if (statement === undefined) this.#bySql.set(sql, (statement = new PendingRows(this.#database, sql)));
    this.#statements[number] = statement;
  }

  /** The buffer for the cells of a statement's next row. */
  cells(statement: number): CellBuffer {
    return this.#at(statement);
  }

  /** Counts a row whose cells are in `cells(number)` now. */
  addRow(number: number): void {
    const statement = this.#at(number);
    const { table } = statement;
    if (table === undefined) {
      this.writeAll();
      statement.addRow();
      statement.write();
      return;
    }
    const other = this.#open.get(table);
    if (other !== statement) {
      other?.write();
      this.#open.set(table, statement);
    }
    statement.addRow();
  }

  /** Writes all pending rows. */
  writeAll(): void {
    for (const statement of this.#open.values()) statement.write();
  }

  /** Drops all pending rows. */
  discardAll(): void {
    for (const statement of this.#bySql.values()) statement.discard();
  }

  #at(number: number): PendingRows {
    return this.#statements[number] as PendingRows;
  }
}
