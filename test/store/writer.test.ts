import { once } from "node:events";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { Connection, type Statement } from "../../src/store/sqlite/connection.js";
import { tune } from "../../src/store/sqlite/tune.js";
import { LocalWriter } from "../../src/store/writer/local-writer.js";
import { ThreadedWriter } from "../../src/store/writer/threaded-writer.js";
import { type Cell, ROWS_KEY, type Writer } from "../../src/store/writer/writer.js";
import { temporaryFolder } from "../support/folder.js";
import { runs } from "../support/effort.js";

/** Writes in the calling thread, or in a separate one. */
type Kind = "local" | "threaded";

/** A database with two tables, and its writer. */
class Book {
  readonly path: string;
  readonly database: Connection;
  readonly failures: Error[] = [];
  readonly #pair: Statement;
  readonly #one: Statement;
  readonly #usual: Statement;
  readonly #change: Statement;
  writer!: Writer;

  private constructor(path: string) {
    this.path = path;
    this.database = new Connection(path);
    tune(this.database);
    this.database.exec("PRAGMA journal_mode = WAL");
    this.database.exec(`CREATE TABLE run (key TEXT PRIMARY KEY, value);
      INSERT INTO run VALUES ('${ROWS_KEY}', '0'); CREATE TABLE pair (row INTEGER PRIMARY KEY, a, b, c); CREATE TABLE one (row INTEGER PRIMARY KEY, a NOT NULL)`);
    this.#pair = this.database.prepare("INSERT INTO pair VALUES (NULL, ?, ?, ?)");
    this.#one = this.database.prepare("INSERT INTO one VALUES (NULL, ?)");
    this.#usual = this.database.prepare("INSERT INTO pair VALUES (NULL, 'usual', ?, ?)");
    this.#change = this.database.prepare("UPDATE pair SET c = c || ? WHERE row > (SELECT max(row) - 3 FROM pair)");
    onTestFinished(() => {
      try {
        this.writer.close();
      } catch {
        // The test has checked this error.
      }
      this.database.close();
    });
  }

  static async open(kind: Kind): Promise<Book> {
    const book = new Book(join(temporaryFolder(), "book.db"));
    const local = new LocalWriter(book.database, { path: book.path, rows: 0 });
    const failed = (error: Error): void => void book.failures.push(error);
    if (kind === "local") book.writer = local;
    else book.writer = await ThreadedWriter.start(book.path, { local, onFailure: failed });
    return book;
  }

  write(cells: readonly Cell[]): void {
    if (cells.length === 1) this.writer.write(this.#one, cells);
    else this.writer.write(cells.length === 3 ? this.#pair : this.#usual, cells);
  }

  /** Updates the last three rows. */
  change(word: string): void {
    this.writer.write(this.#change, [word]);
  }

  /** Reads all rows over another connection. */
  read(): { pairs: unknown[]; ones: unknown[]; rows: unknown } {
    const reader = new Connection(this.path, { readonly: true });
    try {
      return {
        pairs: reader.prepare("SELECT a, b, c, typeof(a) AS type FROM pair ORDER BY row").all(),
        ones: reader.prepare("SELECT a, typeof(a) AS type FROM one ORDER BY row").all(),
        rows: reader.prepare("SELECT value FROM run WHERE key = ?", "value").get(ROWS_KEY),
      };
    } finally {
      reader.close();
    }
  }
}

const text = fc.oneof(
  fc.constantFrom("", "accepted", "mo_sms", "an answer that comes again and again, longer than a word"),
  fc.string({ maxLength: 20 }),
  // No lone surrogates: SQLite stores UTF-8.
  fc.string({ unit: "grapheme", maxLength: 60 }).map((one) => one.toWellFormed()),
  fc.nat({ max: 5000 }).map((length) => "é".repeat(length)),
);
const cell: fc.Arbitrary<Cell> = fc.oneof(
  fc.constant(null),
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.constantFrom(0, -0, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), Number.MAX_SAFE_INTEGER, 0.1),
  text,
  fc.uint8Array({ maxLength: 300 }),
);
const row = fc.oneof(fc.tuple(cell, cell, cell), fc.tuple(cell, cell), fc.tuple(fc.oneof(text, fc.integer())));
const step = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant("row" as const), row }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("rows" as const), row, times: fc.nat({ max: 40 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("change" as const), word: fc.constantFrom("a", "b") }) },
  { weight: 1, arbitrary: fc.constant({ kind: "flush" as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("together" as const),
      rows: fc.array(row, { maxLength: 5 }),
      throws: fc.boolean(),
    }),
  },
);

describe("a threaded writer", () => {
  it("leaves the same file as a local writer, for any rows", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
        const books = await Promise.all([Book.open("local"), Book.open("threaded")]);
        for (const book of books) {
          for (const one of steps) {
            if (one.kind === "row") book.write(one.row);
            else if (one.kind === "rows") for (let n = 0; n < one.times; n++) book.write(one.row);
            else if (one.kind === "change") book.change(one.word);
            else if (one.kind === "flush") book.writer.flush();
            else {
              const act = (): void => {
                for (const each of one.rows) book.write(each);
                if (one.throws) throw new Error("rolled back");
              };
              if (one.throws) expect(() => book.writer.atomically(act)).toThrow("rolled back");
              else book.writer.atomically(act);
            }
          }
          book.writer.close();
          book.writer.close();
        }
        const [local, threaded] = books;
        expect(threaded.read()).toEqual(local.read());
        expect(threaded.writer.rows).toBe(local.writer.rows);
      }),
      { numRuns: runs(10) },
    );
  });

  it("wraps around its ring, and keeps rows too large for it in order", async () => {
    const book = await Book.open("threaded");
    // 80 MB through a ring of 16 MiB; every 50th row has 3 MB, more than the ring accepts.
    const sizeOf = (n: number): number => (n % 50 === 7 ? 3_000_000 : (n * 7919) % 200_000);
    for (let n = 0; n < 500; n++) book.write([n, String(n).padEnd(sizeOf(n), "x"), null]);
    book.writer.flush();
    const lengths = book.database.prepare("SELECT a, length(b) AS length FROM pair ORDER BY row", "tuple").all();
    expect(lengths).toEqual(Array.from({ length: 500 }, (_, n) => [n, Math.max(sizeOf(n), String(n).length)]));
    expect(book.read().rows).toBe("500");
  });

  it("calls `whenFlushed` back in order, when all rows before the call are durable", async () => {
    const book = await Book.open("threaded");
    const seen: [written: number, isDurable: boolean][] = [];
    await new Promise<void>((resolve) => {
      for (let n = 1; n <= 1000; n++) {
        book.write([n]);
        if (n % 10 > 0) continue;
        book.writer.whenFlushed(() => {
          seen.push([n, Number(book.read().rows) >= n]);
          if (n === 1000) resolve();
        });
      }
    });
    expect(seen).toEqual(Array.from({ length: 100 }, (_, n) => [10 * n + 10, true]));
  });

  it("shows other connections no row of an atomic write before it is complete", async () => {
    const book = await Book.open("threaded");
    book.writer.atomically(() => {
      for (let n = 0; n < 300; n++) book.write([n]);
      expect(book.read().ones).toEqual([]);
    });
    expect(book.read().ones).toHaveLength(300);
  });

  it("commits or rolls back an atomic write larger than its ring as a whole", async () => {
    const book = await Book.open("threaded");
    const write = (): void => {
      for (let n = 0; n < 200; n++) book.write([n, String(n).padEnd(120_000, "x"), null]);
    };
    book.write(["before"]);
    const fail = (): void => {
      write();
      expect(book.read().pairs).toEqual([]);
      throw new Error("rolled back");
    };
    expect(() => book.writer.atomically(fail)).toThrow("rolled back");
    expect(book.read()).toMatchObject({ pairs: [], ones: [{ a: "before" }], rows: "1" });
    book.writer.atomically(write);
    expect(book.read().pairs).toHaveLength(200);
    expect(book.read().rows).toBe("201");
  });

  it("reports a row that cannot be written from write, flush and onFailure, and keeps the rows before it", async () => {
    const book = await Book.open("threaded");
    // Enough rows for multi-row inserts.
    for (let n = 0; n < 100; n++) book.write([n, "pair"]);
    book.write(["good"]);
    book.write([null]); // a constraint of the table
    for (let n = 0; n < 100; n++) book.write(n % 2 === 0 ? ["after"] : [n, "pair"]);
    let isCalledBack = false;
    book.writer.whenFlushed(() => (isCalledBack = true));
    await expect.poll(() => book.failures.length).toBeGreaterThan(0);
    expect(book.failures[0]?.message).toContain("NOT NULL");
    expect(() => book.writer.flush()).toThrow("NOT NULL");
    expect(() => book.write(["later"])).toThrow("NOT NULL");
    book.writer.close();
    book.writer.close();
    expect(isCalledBack).toBe(false);
    expect(book.read()).toMatchObject({ ones: [{ a: "good" }], rows: "101" });
    expect(book.read().pairs).toHaveLength(100);
  });

  it("reports a thread that ends unexpectedly, and keeps the committed rows", async () => {
    const started = once(process, "worker") as Promise<[Worker]>;
    const book = await Book.open("threaded");
    const [thread] = await started;
    for (let n = 0; n < 1000; n++) book.write([n]);
    book.writer.flush();
    // The thread ends before or while it writes these.
    for (let n = 1000; n < 50_000; n++) book.write([n]);
    let isCalledBack = false;
    book.writer.whenFlushed(() => (isCalledBack = true));
    await thread.terminate();
    await expect.poll(() => book.failures).toMatchObject([{ code: "writer-gone", path: book.path }]);
    expect(() => book.write(["later"])).toThrow("ended unexpectedly");
    expect(() => book.writer.flush()).toThrow("ended unexpectedly");
    const startedAt = performance.now();
    book.writer.close();
    // Half of the time that it waits for a live thread.
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    expect(isCalledBack).toBe(false);
    const { ones, rows } = book.read();
    expect(ones.length).toBeGreaterThanOrEqual(1000);
    expect(ones).toEqual(ones.map((_, n) => expect.objectContaining({ a: n })));
    expect(rows).toBe(String(ones.length));
    // The thread no longer holds a lock on the file.
    book.database.exec("INSERT INTO one VALUES (NULL, 'next')");
  });
});
