import type { Connection } from "../sqlite/connection.js";
import { RowBatcher } from "./row-batcher.js";
import { type CellBuffer, type SavepointMark, type RowDecoder, type RowSink } from "./row-codec.js";

/**
 * Rolled-back rows must still be decoded (later rows refer to their dictionary entries), so the rollback is a SQLite
 * savepoint.
 */
const savepoints = {
  begin: "SAVEPOINT atomic_rows",
  keep: "RELEASE atomic_rows",
  undo: "ROLLBACK TO atomic_rows; RELEASE atomic_rows",
};

/** Executes the rows of batches, inside the caller's transaction. */
export class RowExecutor implements RowSink {
  /** Rows that it wrote, including those of the open transaction. */
  rows = 0;
  readonly #database: Connection;
  readonly #batcher: RowBatcher;
  #rowsBefore = 0;
  #isInSavepoint = false;
  #isOneByOne = false;

  constructor(database: Connection) {
    this.#database = database;
    this.#batcher = new RowBatcher(database);
  }

  /** Whether a savepoint is open: one that is larger than the ring arrives in several batches. */
  get isInSavepoint(): boolean {
    return this.#isInSavepoint;
  }

  /** Executes the whole batches between two positions. */
  execute(batches: RowDecoder, from: number, to: number): void {
    batches.read(from, to, this);
    this.#batcher.writeAll();
  }

  /**
   * Executes the same batches without multi-row inserts: throws at the invalid row, with all rows before it in their
   * tables.
   */
  executeOneByOne(batches: RowDecoder, from: number, to: number): void {
    this.#isOneByOne = true;
    try {
      batches.read(from, to, this);
    } finally {
      this.#isOneByOne = false;
    }
  }

  /** Call it after the transaction was rolled back. @param rows - how many of its rows are in the tables */
  rolledBack(rows: number): void {
    this.#batcher.discardAll();
    this.rows = rows;
    this.#isInSavepoint = false;
  }

  statement(number: number, sql: string): void {
    this.#batcher.statement(number, sql);
  }

  cells(statement: number): CellBuffer {
    return this.#batcher.cells(statement);
  }

  row(statement: number): void {
    this.#batcher.addRow(statement);
    if (this.#isOneByOne) this.#batcher.writeAll();
    this.rows++;
  }

  mark(mark: SavepointMark): void {
    this.#batcher.writeAll();
    this.#database.exec(savepoints[mark]);
    this.#isInSavepoint = mark === "begin";
    if (mark === "begin") this.#rowsBefore = this.rows;
    else if (mark === "undo") this.rows = this.#rowsBefore;
  }
}
