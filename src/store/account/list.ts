import type { Connection, Statement } from "../sqlite/connection.js";

/** A value that SQLite stores. */
export type SqlValue = string | number | null;

/** Definition of a list that the API pages through: its columns, filters and orders. */
export interface ListSpec {
  /** Columns as the row's type names them: `id, uuid, created_at_ms AS createdAtMs`. */
  readonly columns: string;
  /** The table, with joins where they are needed. */
  readonly from: string;
  /** Condition of every listed row. */
  readonly where?: string;
  /**
   * Orders by name. Each is a position and a tie-breaker that makes it unique. Both are columns of one index, so that
   * page 1,000 costs as much as page 1; both are numbers, or both are texts.
   */
  readonly orders: Readonly<Record<string, { readonly position: string; readonly tie: string; readonly rises?: true }>>;
  /** Conditions by name, with a `?` for each value. */
  readonly filters: Readonly<Record<string, string>>;
  /** The column by which `get` finds a row. */
  readonly key: string;
}

/** The position of a row: the page begins after it or, backwards, before it. */
export interface Cursor {
  readonly position: number | string;
  readonly tie: number | string;
  readonly isBackwards: boolean;
}

/** Which page of a list to read. */
export interface PageQuery {
  /** Name of an order. */
  readonly order: string;
  /** Reverses the order. */
  readonly isReversed?: boolean;
  /** Names of filters with their values; they combine. */
  readonly filters: readonly (readonly [name: string, ...values: SqlValue[]])[];
  readonly cursor?: Cursor | undefined;
  readonly size: number;
}

/** A page of a list, with the cursors of its neighbours. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Where the next page begins; undefined when this is the last one. */
  readonly next: Cursor | undefined;
  readonly previous: Cursor | undefined;
}

/**
 * Page sizes with a prepared statement. A query uses the smallest sufficient one; one more row shows whether there is
 * a next page. Statements are never freed (`Connection`), so their number must not depend on the sizes that clients
 * request.
 */
const LIMITS = [10, 50, 250] as const;

interface Placed {
  readonly $position: number | string;
  readonly $tie: number | string;
}

/**
 * A list with keyset pagination: rows that are added meanwhile move no page, so a client that walks through the pages
 * skips no record and sees none twice.
 */
export class List<Row extends object> {
  readonly #database: Connection;
  readonly #spec: ListSpec;
  #get: Statement | undefined;
  /**
   * Statements by the shape of the query. Clients can request at most 3,000 shapes for messages (55 MiB); one client
   * uses a few of them.
   */
  readonly #statements = new Map<string, Statement>();

  constructor(database: Connection, spec: ListSpec) {
    this.#database = database;
    this.#spec = spec;
  }

  /** A record by its key, without filters; undefined when it is not in the list. */
  get(key: SqlValue): Row | undefined {
    this.#get ??= this.#database.prepare(oneOf(this.#spec));
    return this.#get.get(key) as Row | undefined;
  }

  page(query: PageQuery): Page<Row> {
    const { cursor, size } = query;
    const isBackwards = cursor?.isBackwards === true;
    const found = this.#prepared(query).all(...valuesOf(query)) as (Row & Placed)[];
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

  /**
   * SQLite's query plan of a page, a line for each step (sqlite.org/eqp.html): tests check that an index gives the
   * order.
   */
  plan(query: PageQuery): string[] {
    const explained = this.#database.prepare(`EXPLAIN QUERY PLAN ${this.#sql(query)}`);
    return (explained.all(...valuesOf(query)) as { readonly detail: string }[]).map(({ detail }) => detail);
  }

  #sql({ order: orderName, isReversed = false, filters, cursor, size }: PageQuery): string {
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
    // The limit is a literal: SQLite would plan the statement again for each bound value, which costs as much as 10
    // look-ups.
    return `SELECT ${columns}, ${order.position} AS "$position", ${order.tie} AS "$tie" FROM ${from}
      ${parts.length === 0 ? "" : `WHERE ${parts.join(" AND ")}`}
      ORDER BY ${order.position} ${direction}, ${order.tie} ${direction} LIMIT ${limitOf(size) + 1}`;
  }

  #prepared(query: PageQuery): Statement {
    const shape = shapeOf(query);
    let statement = this.#statements.get(shape);
    if (statement === undefined) {
      statement = this.#database.prepare(this.#sql(query));
      this.#statements.set(shape, statement);
    }
    return statement;
  }
}

function oneOf({ columns, from, key, where }: ListSpec): string {
  return `SELECT ${columns} FROM ${from} WHERE ${key} = ?${where === undefined ? "" : ` AND (${where})`}`;
}

/** The parts of a query that its SQL depends on. */
function shapeOf({ order, isReversed = false, filters, cursor, size }: PageQuery): string {
  let shape = `${order} ${isReversed} ${cursor?.isBackwards} ${limitOf(size)}`;
  for (const [name] of filters) shape += ` ${name}`;
  return shape;
}

/** The smallest sufficient size of `LIMITS`; `size` itself when none is, which clients cannot request. */
function limitOf(size: number): number {
  return LIMITS.find((limit) => limit >= size) ?? size;
}

function valuesOf({ filters, cursor }: PageQuery): SqlValue[] {
  const values: SqlValue[] = [];
  for (const [, ...given] of filters) values.push(...given);
  if (cursor !== undefined) values.push(cursor.position, cursor.tie);
  return values;
}

function placeOf(row: Placed, isBackwards: boolean): Cursor {
  return { position: row.$position, tie: row.$tie, isBackwards };
}
