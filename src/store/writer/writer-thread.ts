/** The thread that writes a recording: takes rows from the ring and commits all that it finds, again and again. */
import { parentPort, workerData } from "node:worker_threads";
import { Connection, type Statement } from "../sqlite/connection.js";
import { addFunctions } from "../sqlite/functions.js";
import { tune } from "../sqlite/tune.js";
import { at, type RingMemory, writeFailure } from "./ring.js";
import { RowDecoder } from "./row-codec.js";
import { TableFiller } from "./table-filler.js";
import { ROWS_KEY } from "./writer.js";

/** What the thread is given to begin with. */
export interface ThreadStart {
  readonly path: string;
  /** Rows that the recording holds. */
  readonly rows: number;
  readonly memory: RingMemory;
}

const { path, memory, ...start } = workerData as ThreadStart;
const control = new Int32Array(memory.control);

/**
 * When the log has grown by about so many pages they are brought to their places as soon as there is nothing else to do: half a
 * millisecond's work at a time. Left to SQLite it would be done by one commit in hundreds, which would then take ten.
 */
const PAGES = 256;

/** Pages that a commit adds to the log: the last one of each table that is written, and what so many rows fill. */
const pagesOf = (rows: number): number => 4 + rows / 30;

/** Until it is told to end. */
function write(database: Connection): void {
  const begin = database.prepare("BEGIN IMMEDIATE");
  const commit = database.prepare("COMMIT");
  const count = database.prepare(`INSERT OR REPLACE INTO run VALUES ('${ROWS_KEY}', ?)`);
  const tidy = database.prepare("PRAGMA wal_checkpoint(PASSIVE)");
  let pages = 0;
  const ring = new RowDecoder(memory.bytes);
  const filler = new TableFiller(database, start.rows);
  let committed = filler.rows;
  const end = (): void => {
    count.run(String(filler.rows + Atomics.load(control, at.beside)));
    commit.run();
    pages += pagesOf(filler.rows - committed);
    committed = filler.rows;
  };
  for (let seen = 0; ;) {
    // In this order: whoever publishes moves the head first.
    const published = Atomics.load(control, at.published);
    if (published === seen) {
      if (Atomics.load(control, at.isEnding) === 1) return;
      if (pages >= PAGES && !database.inTransaction) {
        pages = 0;
        bringHome(tidy);
      } else Atomics.wait(control, at.published, seen);
      continue;
    }
    const [tail, head] = [Atomics.load(control, at.tail), Atomics.load(control, at.head)];
    try {
      if (!database.inTransaction) begin.run();
      filler.fill(ring, tail, head);
    } catch (error) {
      if (database.inTransaction) database.exec("ROLLBACK");
      // What belongs together is not there in part.
      if (filler.isTogether) throw error;
      // The rows before one that failed are good: written one by one they come into the file up to there.
      filler.forget(committed);
      begin.run();
      try {
        filler.fillOneByOne(ring, tail, head);
      } finally {
        if (database.inTransaction) end();
      }
    }
    // Rows that belong together, more than the ring takes, come in several batches.
    if (!filler.isTogether && database.inTransaction) end();
    seen = published;
    Atomics.store(control, at.tail, head);
    if (!filler.isTogether) Atomics.store(control, at.committed, seen);
    tell();
  }
}

/** Moves the log's pages to their places. */
function bringHome(tidy: Statement): void {
  try {
    tidy.all();
  } catch {
    // They stay in the log, which holds them as well. A disk that is full is met by the commit that needs it.
  }
}

/** Whoever waits for the file goes on. */
function tell(): void {
  Atomics.notify(control, at.committed);
  if (Atomics.exchange(control, at.isWanted, 0) === 1) parentPort?.postMessage("committed");
}

try {
  const database = new Connection(path);
  tune(database);
  addFunctions(database);
  parentPort?.postMessage("ready");
  write(database);
  database.close();
} catch (error) {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  writeFailure(memory, { code, message: error instanceof Error ? error.message : String(error) });
  Atomics.store(control, at.hasFailed, 1);
  Atomics.store(control, at.isWanted, 1);
  tell();
}
Atomics.store(control, at.hasEnded, 1);
Atomics.notify(control, at.committed);
