import type { Connection, Statement } from "../sqlite/connection.js";
import type { Cells } from "./row-codec.js";
import type { Cell } from "./writer.js";

/**
 * Rows that a statement takes at once, the most first. A call costs as much as a short row, and more than sixteen save
 * nothing more.
 */
const AT_ONCE = [16, 4, 1] as const;

/** What only puts a row at the end of a table: the table, and the row. */
const APPENDING = /^(INSERT INTO (\w+)\s+VALUES )(\([^()]*\))$/;

/** One statement and the rows that it has been given and not yet written. */
class RowStatement implements Cells {
  /** What it appends to; undefined: it does something else. */
  readonly table: string | undefined;
  /** Never made shorter: to grow again would cost more than the rows' bytes. */
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

  /** One more row is in `cells`. */
  add(): void {
    if (++this.#rows === AT_ONCE[0]) this.write();
  }

  write(): void {
    const { cells } = this;
    const columns = this.count / this.#rows;
    let from = 0;
    for (const rows of AT_ONCE) {
      for (; this.#rows >= rows; this.#rows -= rows) {
        const end = from + rows * columns;
        this.#of(rows).run(...(from === 0 && end === cells.length ? cells : cells.slice(from, end)));
        from = end;
      }
    }
    this.count = 0;
  }

  forget(): void {
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
 * Rows on their way into SQLite. Those that are appended to one table are held back until there are several; between
 * tables, order makes no difference inside a transaction. Whatever else changes the recording waits for none that came before it.
 */
export class GatheredRows {
  readonly #database: Connection;
  readonly #statements: RowStatement[] = [];
  /** By text: each batch announces its statements anew. */
  readonly #bySql = new Map<string, RowStatement>();
  /** By table: the statement that has rows for it. */
  readonly #open = new Map<string, RowStatement>();

  constructor(database: Connection) {
    this.#database = database;
  }

  statement(number: number, sql: string): void {
    let statement = this.#bySql.get(sql);
    if (statement === undefined) this.#bySql.set(sql, (statement = new RowStatement(this.#database, sql)));
    this.#statements[number] = statement;
  }

  /** Where the cells of a statement's next row are put. */
  cells(statement: number): Cells {
    return this.#at(statement);
  }

  /** They are there. */
  add(number: number): void {
    const statement = this.#at(number);
    const { table } = statement;
    if (table === undefined) {
      this.write();
      statement.add();
      statement.write();
      return;
    }
    const other = this.#open.get(table);
    if (other !== statement) {
      other?.write();
      this.#open.set(table, statement);
    }
    statement.add();
  }

  /** Writes all that was held back. */
  write(): void {
    for (const statement of this.#open.values()) statement.write();
  }

  /** Nothing was held back. */
  forget(): void {
    for (const statement of this.#bySql.values()) statement.forget();
  }

  #at(number: number): RowStatement {
    return this.#statements[number] as RowStatement;
  }
}
