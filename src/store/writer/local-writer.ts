import type { Connection, Statement } from "../sqlite/connection.js";
import { asStoreError } from "../sqlite/errors.js";
import { type Cell, ROWS_KEY, type Writer } from "./writer.js";

/** Rows of a group commit. A kill of the process loses the rows of the open transaction, at most this many. */
const BATCH_ROWS = 250;

/**
 * Writes in the caller's thread, straight into SQLite's open transaction: a reader on the same connection sees a row
 * at once, and the call that fills the disk throws.
 */
export class LocalWriter implements Writer {
  rows: number;
  readonly #database: Connection;
  readonly #path: string;
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #count: Statement;
  /** Facts that each commit keeps, where their values have changed since the last one. */
  readonly #facts: { readonly keep: (value: string) => void; readonly read: () => string; last: string }[] = [];
  #pending = 0;
  #isAtomic = false;
  #commitsByItself = true;
  #calledAt: { readonly rows: number; readonly callBack: () => void } | undefined;
  #failure: Error | undefined;

  /** @param options - `rows`: number of rows in the recording */
  constructor(database: Connection, { path, rows }: { readonly path: string; readonly rows: number }) {
    this.#database = database;
    this.#path = path;
    this.rows = rows;
    this.#begin = database.prepare("BEGIN IMMEDIATE");
    this.#commit = database.prepare("COMMIT");
    this.#count = database.prepare(`INSERT OR REPLACE INTO run VALUES ('${ROWS_KEY}', ?)`);
  }

  write(statement: Statement, cells: readonly Cell[]): void {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      if (this.#pending === 0) this.#begin.run();
      statement.run(...cells);
    } catch (error) {
      this.#fail(error);
    }
    if (++this.rows === this.#calledAt?.rows) this.#calledAt.callBack();
    if (++this.#pending >= BATCH_ROWS && this.#commitsByItself && !this.#isAtomic) this.flush();
  }

  flush(): void {
    if (this.#pending === 0) return;
    this.#pending = 0;
    try {
      this.#count.run(String(this.rows));
      this.#keepFacts();
      this.#commit.run();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Makes each later commit also store the value that `read` returns at that moment, under `key`. */
  keepWithCommits(key: string, read: () => string): void {
    const statement = this.#database.prepare("INSERT OR REPLACE INTO run (key, value) VALUES (?, ?)");
    this.#facts.push({ keep: (value) => void statement.run(key, value), read, last: "" });
  }

  #keepFacts(): void {
    for (const fact of this.#facts) {
      const value = fact.read();
      if (value === fact.last) continue;
      fact.keep(value);
      fact.last = value;
    }
  }

  whenFlushed(then: () => void): void {
    this.flush();
    then();
  }

  atomically<T>(act: () => T): T {
    this.flush();
    const { rows } = this;
    this.#isAtomic = true;
    let result: T;
    try {
      result = act();
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec("ROLLBACK");
      this.#pending = 0;
      this.rows = rows;
      throw error;
    } finally {
      this.#isAtomic = false;
    }
    this.flush();
    return result;
  }

  /** Calls back once, when the recording has this many rows more. */
  callAfter(rows: number, callBack: () => void): void {
    this.#calledAt = { rows: this.rows + rows, callBack };
  }

  commitOnFlush(): void {
    this.#commitsByItself = false;
  }

  close(): void {
    if (this.#failure === undefined) return this.flush();
    try {
      // Rows before the failed one are valid.
      if (this.#database.inTransaction) this.#commit.run();
    } catch {
      // The failed `write` has thrown this error already.
    }
  }

  #fail(error: unknown): never {
    this.#failure = asStoreError(error, this.#path, "write");
    throw this.#failure;
  }
}
