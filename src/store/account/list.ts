import type { Connection, Statement } from "../sqlite/connection.js";

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

/**
 * How many rows the statement of a page reads at most, beside the one that shows whether there are more: the least of these
 * that is enough. Statements are kept for good (`Connection`), so a client must not get one for each size it thinks of.
 */
const LIMITS = [10, 50, 250] as const;

interface Placed {
  readonly $position: number | string;
  readonly $tie: number | string;
}

/**
 * One list. Pages are found by position (keyset), so that what is added meanwhile moves nothing: no record of a walk
 * through the pages is skipped or seen twice.
 */
export class List<Row extends object> {
  readonly #database: Connection;
  readonly #spec: ListSpec;
  #get: Statement | undefined;
  /**
   * By the shape of the query. There are no more than combinations of what clients can ask for: of messages three thousand, which
   * would take 55 MiB. A client that goes on asking as it has begun has a few made.
   */
  readonly #statements = new Map<string, Statement>();

  constructor(database: Connection, spec: ListSpec) {
    this.#database = database;
    this.#spec = spec;
  }

  /** One record by its key, whatever the filters say; undefined when it is not listed. */
  get(key: Value): Row | undefined {
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

  /** How SQLite goes about a page, a line a step (sqlite.org/eqp.html): it shows whether an index holds the order. */
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
    // The limit is written out: SQLite plans a statement anew for each value that is bound there, which costs ten look-ups.
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

/** All of a query that its SQL depends on. */
function shapeOf({ order, isReversed = false, filters, cursor, size }: PageQuery): string {
  let shape = `${order} ${isReversed} ${cursor?.isBackwards} ${limitOf(size)}`;
  for (const [name] of filters) shape += ` ${name}`;
  return shape;
}

/** No client may ask for larger pages. */
function limitOf(size: number): number {
  return LIMITS.find((limit) => limit >= size) ?? size;
}

function valuesOf({ filters, cursor }: PageQuery): Value[] {
  const values: Value[] = [];
  for (const [, ...given] of filters) values.push(...given);
  if (cursor !== undefined) values.push(cursor.position, cursor.tie);
  return values;
}

function placeOf(row: Placed, isBackwards: boolean): Cursor {
  return { position: row.$position, tie: row.$tie, isBackwards };
}
