/** The thread that writes a recording: takes rows from the ring and commits all that it finds, again and again. */
import { parentPort, workerData } from "node:worker_threads";
import { Connection, type Statement } from "../connection.js";
import { addFunctions } from "../functions.js";
import { tune } from "../tune.js";
import { PackedRows } from "./packed-rows.js";
import { at, type RingMemory, writeFailure } from "./ring.js";
import { RowDecoder } from "./row-codec.js";
import { TableFiller } from "./table-filler.js";
import { ROWS } from "./writer.js";

/** What the thread is given to begin with. */
export interface ThreadStart {
  readonly path: string;
  /** Rows that the recording holds. */
  readonly rows: number;
  readonly memory: RingMemory;
  /** Batches are put into the file as they are: see `PackedRows`. */
  readonly packs: boolean;
}

const { path, memory, ...start } = workerData as ThreadStart;
const control = new Int32Array(memory.control);

/**
 * When the log has grown by about so many pages they are brought to their places as soon as there is nothing else to do: half a
 * millisecond's work at a time. Left to SQLite it would be done by one commit in hundreds, which would then take ten.
 */
const PAGES = 256;

/** Bytes of a page of the file (`tune`). */
const PAGE_BYTES = 8192;

/** SQLite's log, as far as it has not been brought home. */
interface Log {
  pages: number;
}

/** Brings what lies in the ring between two places into the file. It is committed then, unless more belongs to it. */
type Take = (tail: number, head: number) => void;

/** Row by row into their tables. */
function filling(database: Connection, log: Log): Take {
  const begin = database.prepare("BEGIN IMMEDIATE");
  const commit = database.prepare("COMMIT");
  const count = database.prepare(`INSERT OR REPLACE INTO run VALUES ('${ROWS}', ?)`);
  const ring = new RowDecoder(memory.bytes);
  const filler = new TableFiller(database, start.rows);
  let committed = filler.rows;
  const end = (): void => {
    count.run(String(filler.rows + Atomics.load(control, at.beside)));
    commit.run();
    // The last page of each table that is written, and what so many rows fill.
    log.pages += 4 + (filler.rows - committed) / 30;
    committed = filler.rows;
  };
  return (tail, head) => {
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
    if (!filler.isTogether && database.inTransaction) end();
  };
}

/** As they are. */
function packing(database: Connection, log: Log): Take {
  const packed = new PackedRows(database, path);
  const ring = Buffer.from(memory.bytes);
  return (tail, head) => {
    if (head === tail) return;
    const batches =
      head > tail
        ? ring.subarray(tail, head)
        : Buffer.concat([ring.subarray(tail, Atomics.load(control, at.wrappedAt)), ring.subarray(0, head)]);
    packed.add(batches);
    log.pages += 2 + batches.length / PAGE_BYTES;
  };
}

/** Until it is told to end. */
function write(database: Connection): void {
  const tidy = database.prepare("PRAGMA wal_checkpoint(PASSIVE)");
  const log: Log = { pages: 0 };
  const take = start.packs ? packing(database, log) : filling(database, log);
  for (let seen = 0; ;) {
    // In this order: whoever publishes moves the head first.
    const published = Atomics.load(control, at.published);
    if (published === seen) {
      if (Atomics.load(control, at.isEnding) === 1) return;
      if (log.pages >= PAGES && !database.inTransaction) {
        log.pages = 0;
        bringHome(tidy);
      } else Atomics.wait(control, at.published, seen);
      continue;
    }
    const [tail, head] = [Atomics.load(control, at.tail), Atomics.load(control, at.head)];
    take(tail, head);
    seen = published;
    Atomics.store(control, at.tail, head);
    // In the middle of rows that belong together it is not on disk yet.
    if (!database.inTransaction) Atomics.store(control, at.committed, seen);
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
