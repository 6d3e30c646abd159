import { Connection, type Statement } from "../sqlite/connection.js";
import { asStoreError } from "../sqlite/errors.js";
import { MEMORY, temporaryFolder } from "../recording/recording-file.js";

/** An event of a log, as the spool keeps it. */
export interface SpooledEvent {
  /** Its place in the log; ascending, not twice. */
  readonly place: number;
  readonly atMs: number;
  readonly body: string;
  readonly path: string | null;
  readonly isWithPrevious: 0 | 1;
  readonly status: number | null;
  readonly tookMs: number | null;
  readonly answer: string | null;
  readonly error: string | null;
  /** JSON; null: none. */
  readonly retries: string | null;
}

type Tuple = [
  number,
  number,
  string,
  string | null,
  0 | 1,
  number | null,
  number | null,
  string | null,
  string | null,
  string | null,
];

const columns = "place, at_ms, body, path, is_with_previous, status, took_ms, answer, error, retries";

/** Rows that one query returns, and that one transaction writes. */
const PAGE = 2000;

/**
 * Keeps the events of a log in a nameless temporary SQLite file, to read them more than once and in the order of time
 * without holding them in memory.
 */
export class EventSpool {
  readonly #database: Connection;
  readonly #insert: Statement;
  #pending = 0;
  #lastAtMs = -Infinity;
  #isInOrder = true;
  #isIndexed = false;

  /** @throws StoreError */
  constructor() {
    try {
      this.#database = new Connection(temporaryFolder() === undefined ? MEMORY : "");
      this.#database.exec("PRAGMA page_size = 16384; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
      this.#database.exec("PRAGMA cache_size = -16384; PRAGMA locking_mode = EXCLUSIVE");
      this.#database.exec(`CREATE TABLE spooled (place INTEGER PRIMARY KEY, at_ms REAL NOT NULL, body TEXT NOT NULL,
        path TEXT, is_with_previous INTEGER NOT NULL, status INTEGER, took_ms REAL, answer TEXT, error TEXT, retries TEXT)`);
      this.#insert = this.#database.prepare(`INSERT INTO spooled (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    } catch (error) {
      throw asStoreError(error, "a temporary file", "write");
    }
  }

  /** Whether the events came in the order of time. */
  get isInOrder(): boolean {
    return this.#isInOrder;
  }

  /** @throws StoreError when the disk refuses the row */
  add(event: SpooledEvent): void {
    const { place, atMs, body, path, isWithPrevious, status, tookMs, answer, error, retries } = event;
    try {
      if (this.#pending === 0) this.#database.exec("BEGIN");
      this.#insert.run(place, atMs, body, path, isWithPrevious, status, tookMs, answer, error, retries);
      if (++this.#pending >= PAGE) this.#commit();
    } catch (fault) {
      throw asStoreError(fault, "a temporary file", "write");
    }
    this.#isIndexed = false;
    if (atMs < this.#lastAtMs) this.#isInOrder = false;
    this.#lastAtMs = atMs;
  }

  /** In the order of the log. */
  *inSourceOrder(): Generator<SpooledEvent> {
    this.#commit();
    const page = this.#database.prepare<[number], Tuple>(
      `SELECT ${columns} FROM spooled WHERE place > ? ORDER BY place LIMIT ${PAGE}`,
      "tuple",
    );
    for (let rows = page.all(-Infinity); rows.length > 0; rows = page.all(rows.at(-1)?.[0] ?? Infinity)) {
      for (const row of rows) yield eventFrom(row);
    }
  }

  /** In the order of time; events of the same instant in the order of the log. */
  *inOrderOfTime(): Generator<SpooledEvent> {
    if (this.#isInOrder) {
      yield* this.inSourceOrder();
      return;
    }
    this.#commit();
    if (!this.#isIndexed) {
      this.#database.exec("CREATE INDEX IF NOT EXISTS spooled_by_time ON spooled (at_ms, place)");
      this.#isIndexed = true;
    }
    const page = this.#database.prepare<[number, number], Tuple>(
      `SELECT ${columns} FROM spooled WHERE (at_ms, place) > (?, ?) ORDER BY at_ms, place LIMIT ${PAGE}`,
      "tuple",
    );
    let after: readonly [number, number] = [-Infinity, -Infinity];
    for (let rows = page.all(...after); rows.length > 0; rows = page.all(...after)) {
      for (const row of rows) yield eventFrom(row);
      const last = rows.at(-1);
      after = [last?.[1] ?? Infinity, last?.[0] ?? Infinity];
    }
  }

  /** Deletes the temporary file. May be called twice. */
  close(): void {
    this.#database.close();
  }

  #commit(): void {
    if (this.#pending > 0) this.#database.exec("COMMIT");
    this.#pending = 0;
  }
}

function eventFrom([
  place,
  atMs,
  body,
  path,
  isWithPrevious,
  status,
  tookMs,
  answer,
  error,
  retries,
]: Tuple): SpooledEvent {
  return { place, atMs, body, path, isWithPrevious, status, tookMs, answer, error, retries };
}
