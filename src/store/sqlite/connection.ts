import Database from "better-sqlite3";

/** How a row comes out of a statement: an object by column, its first column alone, or its columns as a list. */
export type Shape = "row" | "value" | "tuple";

/**
 * A prepared statement. Whoever prepares the same text in the same shape on the same connection has the same one, so
 * nothing can be set on it that the next would not expect, and none is read row by row: it runs to its end in one call.
 */
export interface Statement<Values extends unknown[] = unknown[], Row = unknown> {
  readonly source: string;
  run(...values: Values): unknown;
  get(...values: Values): Row | undefined;
  all(...values: Values): Row[];
}

export interface ConnectionOptions {
  readonly readonly?: boolean;
  readonly fileMustExist?: boolean;
  /** How long it waits for a lock of somebody else's. */
  readonly timeout?: number;
}

/**
 * Every connection of this thread and all their statements, closed ones, too: none of better-sqlite3's objects may be
 * collected. In version 12 they are `node::ObjectWrap`s, whose destructor, compiled for Node 24.19 or later, asks for the
 * environment that it runs in. A collection that begins while no JavaScript runs has none, and then the process aborts.
 *
 * SQLite's own memory is freed by `close`. What stays is half a KiB for each statement: of a recording 60 to 75 KiB (resident,
 * 1,500 opened and closed on Node 20, 4,000 on Node 24). A service that goes back to a snapshot leaves two of them behind.
 */
const kept: (Database.Database | Statement)[] = [];

/**
 * A connection to a SQLite file, the only way to one: what better-sqlite3 makes for it is kept for as long as the thread
 * lives. So texts of statements must be of a bounded number, whatever their values are, and what is run once goes by
 * `exec`, which leaves nothing behind.
 */
export class Connection {
  readonly #database: Database.Database;
  readonly #statements: Readonly<Record<Shape, Map<string, Statement>>> = {
    row: new Map(),
    value: new Map(),
    tuple: new Map(),
  };

  /** @param file - a path, `:memory:`, or the bytes of a whole SQLite file, of which it is a copy in memory */
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

  /** The statement of this text, prepared when it is asked for the first time. */
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

  /** Runs statements without values, of which nothing is read. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** What a setting of SQLite's is; to change one is for `exec`. */
  setting(name: string): unknown {
    return this.prepare(`PRAGMA ${name}`, "value").get();
  }

  /** All that `act` writes is committed when this returns, or, where it throws, nothing. One inside another is part of it. */
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

  /** Gives queries a function of one value, which depends on nothing else. */
  addFunction(name: string, of: (value: unknown) => unknown): void {
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
