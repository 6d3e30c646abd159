import type { OnProgress } from "../../base/index.js";
import type { Connection, Shape, Statement } from "../sqlite/connection.js";
import { asStoreError } from "../sqlite/errors.js";

/** Rows of a page. No lock is held between two pages, so the writer can checkpoint the WAL. */
const PAGE_ROWS = 1000;

/** Matches the page queries of tables that may have millions of rows: their progress is reported. */
const LARGE_TABLE = /FROM (event|attempt|message) WHERE row > \?/;

/**
 * Runs queries on a recording: one row, all rows, or pages. Every method throws a StoreError when the file cannot be
 * read.
 */
export class RowSource {
  readonly database: Connection;
  readonly #path: string;
  readonly #onProgress: OnProgress | undefined;

  constructor(database: Connection, path: string, onProgress?: OnProgress) {
    this.database = database;
    this.#path = path;
    this.#onProgress = onProgress;
  }

  /** Reports that rows of a table are read. */
  report(table: "event" | "attempt" | "message", done: number, total: number): void {
    this.#onProgress?.({ operation: `reading ${table}s`, done, total });
  }

  /** Prepares a statement for a query that no other method fits; run it within `read`. */
  prepare<Values extends unknown[], Row>(select: string, shape?: Shape): Statement<Values, Row> {
    return this.read(() => this.database.prepare<Values, Row>(select, shape));
  }

  /** The first row; undefined when there is none. */
  first<Row>(select: string, ...values: readonly (string | number)[]): Row | undefined {
    return this.read(() => this.database.prepare<unknown[], Row>(select).get(...values));
  }

  /** All rows at once: for a few rows. */
  all<Row>(select: string, ...values: readonly (string | number)[]): Row[] {
    return this.read(() => this.database.prepare<unknown[], Row>(select).all(...values));
  }

  /** The first row's only value. */
  value<Value>(select: string, ...values: readonly (string | number)[]): Value | undefined {
    return this.read(() => this.database.prepare<unknown[], Value>(select, "value").get(...values));
  }

  /** Rows of two columns as a map. */
  map<Key, Value>(select: string, ...values: readonly number[]): Map<Key, Value> {
    return new Map(this.read(() => this.database.prepare<unknown[], [Key, Value]>(select, "tuple").all(...values)));
  }

  /**
   * The rows after a given one, by default all, read page by page.
   *
   * @param select - parameters: the row after which the page begins, and the maximum number of rows
   */
  *rows<Row extends { readonly row: number }>(select: string, afterRow = 0): Generator<Row> {
    for (const page of this.pages<Row>(select, afterRow)) yield* page;
  }

  /** The same rows as `rows`, in pages that are not empty. */
  *pages<Row extends { readonly row: number }>(select: string, afterRow = 0): Generator<Row[]> {
    yield* this.#paged(this.prepare<unknown[], Row>(select), ({ row }) => row, { afterRow });
  }

  /**
   * All rows in pages of lists of values, the row first.
   *
   * @param values - further parameters of the select, between these two
   */
  *tuples<Row extends readonly [row: number, ...rest: unknown[]]>(
    select: string,
    ...values: readonly (string | number)[]
  ): Generator<Row[]> {
    yield* this.#paged(this.prepare<unknown[], Row>(select, "tuple"), ([row]) => row, { values });
  }

  /** The same rows as `tuples` after a given one. */
  *tuplesAfter<Row extends readonly [row: number, ...rest: unknown[]]>(
    select: string,
    afterRow: number,
    ...values: readonly (string | number)[]
  ): Generator<Row[]> {
    yield* this.#paged(this.prepare<unknown[], Row>(select, "tuple"), ([row]) => row, { afterRow, values });
  }

  /** Runs a query, and turns an error of the file into a StoreError. */
  read<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw asStoreError(error, this.#path, "read");
    }
  }

  *#paged<Row>(
    page: Statement<unknown[], Row>,
    rowOf: (row: Row) => number,
    { afterRow = 0, values = [] }: { readonly afterRow?: number; readonly values?: readonly (string | number)[] },
  ): Generator<Row[]> {
    const table = this.#onProgress === undefined ? undefined : LARGE_TABLE.exec(page.source)?.[1];
    const total = table === undefined ? 0 : (this.value<number | null>(`SELECT max(row) FROM ${table}`) ?? 0);
    for (let after = afterRow; ;) {
      const rows = this.read(() => page.all(after, ...values, PAGE_ROWS));
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows;
      after = rowOf(last);
      if (table !== undefined) this.report(table as "event", after, total);
    }
  }
}
