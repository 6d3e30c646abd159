import type { Connection, Statement } from "../connection.js";
import { storeError } from "../errors.js";
import { RowDecoder } from "./row-codec.js";
import { TableFiller } from "./table-filler.js";
import { ROWS } from "./writer.js";

/** Batches are brought to their tables in steps of about so many bytes: a tenth of a second's work. */
const STEP_BYTES = 4 * 1024 * 1024;

/** How far rows have come to their tables: batches. */
export interface Unpacking {
  readonly done: number;
  readonly of: number;
}

/**
 * Rows that are in a recording's file as bytes, in batches, and not yet in its tables. To put them there so costs a fifth of
 * what the tables cost, which then are filled when the run is over. A kill loses nothing of it: the next one who opens the
 * recording goes on.
 */
export class PackedRows {
  readonly #database: Connection;
  readonly #path: string;
  readonly #add: Statement<[Uint8Array]>;
  readonly #next: Statement<[], { row: number; bytes: Buffer }>;
  readonly #remove: Statement<[number]>;
  readonly #count: Statement<[string]>;

  constructor(database: Connection, path: string) {
    this.#database = database;
    this.#path = path;
    this.#add = database.prepare("INSERT INTO batch VALUES (NULL, ?)");
    this.#next = database.prepare("SELECT row, bytes FROM batch ORDER BY row LIMIT 1");
    this.#remove = database.prepare("DELETE FROM batch WHERE row = ?");
    this.#count = database.prepare(`INSERT OR REPLACE INTO run VALUES ('${ROWS}', ?)`);
  }

  /** Puts a batch behind the others. It is committed then. */
  add(batch: Uint8Array): void {
    this.#add.run(batch);
  }

  /** Batches that are there, without looking at each: they come at the end and go at the beginning. */
  get #batches(): number {
    const select = "SELECT (SELECT max(row) FROM batch) - (SELECT min(row) FROM batch) + 1";
    return this.#database.prepare<[], number | null>(select, "value").get() ?? 0;
  }

  /**
   * Brings all to their tables, step by step, each of which is committed. They are in the order in which they were
   * written, and nobody else may write meanwhile.
   *
   * @throws StoreError `recording-damaged`; what SQLite throws when the disk takes no more. What was not brought to its table is
   *   still there
   */
  *unpack(): Generator<Unpacking> {
    const of = this.#batches;
    if (of === 0) return;
    const rows = Number(
      this.#database.prepare<[string], string>("SELECT value FROM run WHERE key = ?", "value").get(ROWS),
    );
    const filler = new TableFiller(this.#database, rows);
    for (let done = 0; ;) {
      const batches = this.#database.transaction(() => this.#step(filler));
      if (batches === 0) return;
      done += batches;
      yield { done, of };
    }
  }

  /** @returns how many batches */
  #step(filler: TableFiller): number {
    let batches = 0;
    for (let bytes = 0; bytes < STEP_BYTES; batches++) {
      const next = this.#next.get();
      if (next === undefined) break;
      this.#fill(filler, next.bytes);
      this.#remove.run(next.row);
      bytes += next.bytes.length;
    }
    this.#count.run(String(filler.rows));
    return batches;
  }

  #fill(filler: TableFiller, bytes: Buffer): void {
    try {
      filler.fill(new RowDecoder(bytes), 0, bytes.length);
    } catch (error) {
      if (error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_")) throw error;
      throw storeError("recording-damaged", this.#path, "read");
    }
  }
}

/** Brings all to their tables at once. */
export function unpackAll(packed: PackedRows): void {
  for (const _ of packed.unpack());
}
