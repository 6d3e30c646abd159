import type { Connection } from "../sqlite/connection.js";
import { GatheredRows } from "./gathered-rows.js";
import { type Cells, type Mark, type RowDecoder, type RowSink } from "./row-codec.js";

/** What is taken back must still be read, since later rows refer to words in it: so SQLite takes it back. */
const savepoints = {
  begin: "SAVEPOINT together",
  keep: "RELEASE together",
  undo: "ROLLBACK TO together; RELEASE together",
};

/** Brings rows from batches to their tables, inside a transaction of the caller's. */
export class TableFiller implements RowSink {
  /** Rows of the recording that are in its tables, those of the open transaction included. */
  rows: number;
  readonly #database: Connection;
  readonly #gathered: GatheredRows;
  #rowsBefore = 0;
  #isTogether = false;
  #isOneByOne = false;

  /** @param rows - those that are in the tables already */
  constructor(database: Connection, rows: number) {
    this.#database = database;
    this.#gathered = new GatheredRows(database);
    this.rows = rows;
  }

  /** Whether it is in the middle of rows that belong together: they may come in several batches. */
  get isTogether(): boolean {
    return this.#isTogether;
  }

  /** Whole batches, which lie between two places. */
  fill(batches: RowDecoder, from: number, to: number): void {
    batches.read(from, to, this);
    this.#gathered.write();
  }

  /** The same where a row among them cannot be written: throws with all rows before it in their tables. */
  fillOneByOne(batches: RowDecoder, from: number, to: number): void {
    this.#isOneByOne = true;
    try {
      batches.read(from, to, this);
    } finally {
      this.#isOneByOne = false;
    }
  }

  /** The transaction was taken back. @param rows - those that are in the tables all the same */
  forget(rows: number): void {
    this.#gathered.forget();
    this.rows = rows;
    this.#isTogether = false;
  }

  statement(number: number, sql: string): void {
    this.#gathered.statement(number, sql);
  }

  cells(statement: number): Cells {
    return this.#gathered.cells(statement);
  }

  row(statement: number): void {
    this.#gathered.add(statement);
    if (this.#isOneByOne) this.#gathered.write();
    this.rows++;
  }

  mark(mark: Mark): void {
    this.#gathered.write();
    this.#database.exec(savepoints[mark]);
    this.#isTogether = mark === "begin";
    if (mark === "begin") this.#rowsBefore = this.rows;
    else if (mark === "undo") this.rows = this.#rowsBefore;
  }
}
