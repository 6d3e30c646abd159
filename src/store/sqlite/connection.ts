import { EventEmitter } from "node:events";
import Database from "better-sqlite3";

/** Result format of a statement: an object by column, only the first column, or the columns as a list. */
export type Shape = "row" | "value" | "tuple";

/**
 * A prepared statement. It is cached by connection, SQL and shape, so callers share it: nothing can be set on it, and
 * it runs to its end in one call (no iteration; see `Connection.stream`).
 */
export interface Statement<Values extends unknown[] = unknown[], Row = unknown> {
  readonly source: string;
  run(...values: Values): unknown;
  get(...values: Values): Row | undefined;
  all(...values: Values): Row[];
}

/** Options of a `Connection`, passed to better-sqlite3. */
export interface ConnectionOptions {
  readonly readonly?: boolean;
  readonly fileMustExist?: boolean;
  /** Milliseconds that it waits for another connection's lock. */
  readonly timeout?: number;
}

/**
 * Every connection of this thread and all their statements, including closed ones: no object of better-sqlite3 may be
 * garbage-collected. In version 12 they are `node::ObjectWrap`s, whose destructor, compiled for Node 24.19 or later,
 * asks for the environment that it runs in. A garbage collection that begins while no JavaScript runs has no
 * environment, and the process aborts.
 *
 * `close` frees SQLite's own memory. Half a KiB stays for each statement: 60 to 75 KiB for a recording (resident,
 * 1,500 opened and closed on Node 20, 4,000 on Node 24). A service that restores a snapshot leaves the objects of two
 * recordings.
 */
const kept: object[] = keptByThread();

/**
 * The list is at an object of Node itself, not only in this module: a test runner such as jest loads this module again for
 * each test file and drops the earlier one.
 */
function keptByThread(): object[] {
  const key = Symbol.for("handset-lab/sqlite-objects");
  const keeper = EventEmitter as unknown as Record<symbol, object[] | undefined>;
  return (keeper[key] ??= []);
}

/**
 * A connection to a SQLite file; no other class uses better-sqlite3. It keeps its objects until the thread ends. So the
 * number of different SQL texts must be bounded: pass values as parameters. SQL that runs once goes through `exec`,
 * which keeps no object.
 */
export class Connection {
  readonly #database: Database.Database;
  readonly #statements: Readonly<Record<Shape, Map<string, Statement>>> = {
    row: new Map(),
    value: new Map(),
    tuple: new Map(),
  };

  /** @param file - a path, `:memory:`, or the bytes of a whole SQLite file, which are opened as a copy in memory */
  constructor(file: string | Buffer, options: ConnectionOptions = {}) {
    this.#database = new Database(file, options);
    kept.push(this.#database);
  }

  get isOpen(): boolean {
    return this.#database.open;
  }

  get isInMemory(): boolean {
    return this.#database.memory;
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction;
  }

  /** The statement of this SQL, prepared at the first call. */
  prepare<Values extends unknown[] = unknown[], Row = unknown>(
    sql: string,
    shape: Shape = "row",
  ): Statement<Values, Row> {
    const statements = this.#statements[shape];
    let statement = statements.get(sql);
    if (statement === undefined) {
      const prepared = this.#database.prepare(sql);
      statement = shape === "row" ? prepared : shape === "value" ? prepared.pluck() : prepared.raw();
      statements.set(sql, statement);
      kept.push(statement);
    }
    return statement as Statement<Values, Row>;
  }

  /**
   * Runs a query and passes each row, a list of values, to a callback; it keeps none. The statement is not cached, as
   * users write these queries. An exception of a callback ends the query.
   */
  stream(
    sql: string,
    on: {
      readonly onColumns: (names: readonly string[]) => void;
      readonly onRow: (values: readonly unknown[]) => void;
    },
  ): void {
    const statement = this.#database.prepare(sql).raw();
    on.onColumns(statement.columns().map(({ name }) => name));
    const rows = statement.iterate();
    kept.push(statement, rows);
    for (const values of rows) on.onRow(values as unknown[]);
  }

  /** Runs SQL without values or results. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** The value of a PRAGMA; use `exec` to change one. */
  setting(name: string): unknown {
    return this.prepare(`PRAGMA ${name}`, "value").get();
  }

  /**
   * Runs `act` in a transaction: committed when this returns, rolled back when it throws. A nested one joins the
   * outer one.
   */
  transaction<T>(act: () => T): T {
    if (this.inTransaction) return act();
    this.exec("BEGIN");
    try {
      const result = act();
      this.exec("COMMIT");
      return result;
    } catch (error) {
      if (this.inTransaction) this.exec("ROLLBACK");
      throw error;
    }
  }

  /** Registers a deterministic SQL function of one value or, if `of` has two parameters, of two. */
  addFunction(name: string, of: (value: unknown, second: unknown) => unknown): void {
    this.#database.function(name, { deterministic: true }, of);
  }

  /** The bytes of the whole file. */
  serialize(): Buffer {
    return this.#database.serialize();
  }

  /** May be called twice. */
  close(): void {
    this.#database.close();
  }
}
