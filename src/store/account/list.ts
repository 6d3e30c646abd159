import type { Database, Statement } from "better-sqlite3";

/** What SQLite takes and gives. */
export type Value = string | number | null;

/** A list of records as the API pages through it: what a row is, by what it can be filtered, how it can be ordered. */
export interface ListSpec {
  /** Columns as the row's type names them: `id, uuid, created_at_ms AS createdAtMs`. */
  readonly columns: string;
  /** The table, with joins where they are needed. */
  readonly from: string;
  /** What holds for every row that is listed. */
  readonly where?: string;
  /**
   * By name. Each is a position and a tie-breaker that makes it unique; both columns of one index, so that page 1,000
   * costs what page 1 costs. Both numbers, or both texts.
   */
  readonly orders: Readonly<Record<string, { readonly position: string; readonly tie: string; readonly rises?: true }>>;
  /** Conditions by name, with a `?` for each value. */
  readonly filters: Readonly<Record<string, string>>;
  /** The column by which one row is found: what `get` takes. */
  readonly key: string;
}

/** Where a page begins: behind (or, backwards, before) the row with this position. */
export interface Cursor {
  readonly position: number | string;
  readonly tie: number | string;
  readonly isBackwards: boolean;
}

export interface PageQuery {
  /** Name of an order. */
  readonly order: string;
  /** The other way round than the order says. */
  readonly isReversed?: boolean;
  /** Names of filters with their values; they combine. */
  readonly filters: readonly (readonly [name: string, ...values: Value[]])[];
  readonly cursor?: Cursor | undefined;
  readonly size: number;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Where the page after this one begins; undefined: there is none. */
  readonly next: Cursor | undefined;
  readonly previous: Cursor | undefined;
}

/** Prepared statements that a list keeps: a client could ask for every combination of filters. */
const STATEMENTS_MAX = 64;

interface Placed {
  readonly $position: number | string;
  readonly $tie: number | string;
}

/**
 * One list. Pages are found by position (keyset), so that what is added meanwhile moves nothing: no record of a walk
 * through the pages is skipped or seen twice.
 */
export class List<Row extends object> {
  readonly #database: Database;
  readonly #spec: ListSpec;
  readonly #statements = new Map<string, Statement>();

  constructor(database: Database, spec: ListSpec) {
    this.#database = database;
    this.#spec = spec;
  }

  /** One record by its key, whatever the filters say; undefined when it is not listed. */
  get(key: Value): Row | undefined {
    const { columns, from, key: column, where } = this.#spec;
    const conditions = [`${column} = ?`, ...(where === undefined ? [] : [`(${where})`])];
    return this.#prepared(`SELECT ${columns} FROM ${from} WHERE ${conditions.join(" AND ")}`).get(key) as
      Row | undefined;
  }

  page(query: PageQuery): Page<Row> {
    const { cursor, size } = query;
    const isBackwards = cursor?.isBackwards === true;
    const found = this.#prepared(this.#sql(query)).all(...valuesOf(query), size + 1) as (Row & Placed)[];
    const isMore = found.length > size;
    const rows = isMore ? found.slice(0, size) : found;
    if (isBackwards) rows.reverse();
    const [first, last] = [rows[0], rows.at(-1)];
    const hasNext = isBackwards ? rows.length > 0 : isMore;
    const hasPrevious = isBackwards ? isMore : cursor !== undefined && rows.length > 0;
    return {
      rows,
      next: hasNext && last !== undefined ? placeOf(last, false) : undefined,
      previous: hasPrevious && first !== undefined ? placeOf(first, true) : undefined,
    };
  }

  #sql({ order: orderName, isReversed = false, filters, cursor }: PageQuery): string {
    const { columns, from, where, orders, filters: conditions } = this.#spec;
    const order = orders[orderName];
    if (order === undefined) throw new RangeError(`no order is named '${orderName}'`);
    const isRising = ((order.rises === true) !== isReversed) !== (cursor?.isBackwards === true);
    const parts = where === undefined ? [] : [`(${where})`];
    for (const [name] of filters) {
      const condition = conditions[name];
      if (condition === undefined) throw new RangeError(`no filter is named '${name}'`);
      parts.push(`(${condition})`);
    }
    if (cursor !== undefined) parts.push(`(${order.position}, ${order.tie}) ${isRising ? ">" : "<"} (?, ?)`);
    const direction = isRising ? "ASC" : "DESC";
    return `SELECT ${columns}, ${order.position} AS "$position", ${order.tie} AS "$tie" FROM ${from}
      ${parts.length === 0 ? "" : `WHERE ${parts.join(" AND ")}`}
      ORDER BY ${order.position} ${direction}, ${order.tie} ${direction} LIMIT ?`;
  }

  #prepared(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      if (this.#statements.size >= STATEMENTS_MAX) this.#statements.clear();
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

function valuesOf({ filters, cursor }: PageQuery): Value[] {
  const values = filters.flatMap(([, ...given]) => given);
  return cursor === undefined ? values : [...values, cursor.position, cursor.tie];
}

function placeOf(row: Placed, isBackwards: boolean): Cursor {
  return { position: row.$position, tie: row.$tie, isBackwards };
}
