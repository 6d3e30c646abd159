/** The thread that writes a recording: it commits all batches that it finds in the ring, until the end is requested. */
import { parentPort, workerData } from "node:worker_threads";
import { Connection, type Statement } from "../sqlite/connection.js";
import { addFunctions } from "../sqlite/functions.js";
import { tune } from "../sqlite/tune.js";
import { slot, type RingMemory, writeFailure } from "./ring-buffer.js";
import { RowDecoder } from "./row-codec.js";
import { RowExecutor } from "./row-executor.js";
import { ROWS_KEY } from "./writer.js";

/** The thread's `workerData`. */
export interface ThreadStart {
  readonly path: string;
  readonly memory: RingMemory;
}

const { path, memory } = workerData as ThreadStart;
const control = new Int32Array(memory.control);

/**
 * WAL pages after which an idle thread makes a passive checkpoint, which takes 0.5 ms. SQLite's automatic checkpoint
 * would delay one commit in hundreds by 10 ms instead.
 */
const CHECKPOINT_PAGES = 256;

/** Estimated WAL pages of a commit: the last page of each of four tables, and one page for each 30 rows. */
const pagesOf = (rows: number): number => 4 + rows / 30;

/** Commits batches until the end is requested. */
function commitBatches(database: Connection): void {
  const begin = database.prepare("BEGIN IMMEDIATE");
  const commit = database.prepare("COMMIT");
  const count = database.prepare(`INSERT OR REPLACE INTO run VALUES ('${ROWS_KEY}', ?)`);
  const checkpoint = database.prepare("PRAGMA wal_checkpoint(PASSIVE)");
  let pages = 0;
  const ring = new RowDecoder(memory.bytes);
  const executor = new RowExecutor(database);
  let committed = executor.rows;
  const commitRows = (): void => {
    count.run(String(executor.rows + Atomics.load(control, slot.rowsOfProducer)));
    commit.run();
    pages += pagesOf(executor.rows - committed);
    committed = executor.rows;
  };
  for (let seen = 0; ;) {
    // Reads `published` before `head`, because the producer stores them in the opposite order.
    const published = Atomics.load(control, slot.published);
    if (published === seen) {
      if (Atomics.load(control, slot.isEnding) === 1) return;
      if (pages >= CHECKPOINT_PAGES && !database.inTransaction) {
        pages = 0;
        runCheckpoint(checkpoint);
      } else Atomics.wait(control, slot.published, seen);
      continue;
    }
    const [tail, head] = [Atomics.load(control, slot.tail), Atomics.load(control, slot.head)];
    try {
      if (!database.inTransaction) begin.run();
      executor.execute(ring, tail, head);
    } catch (error) {
      if (database.inTransaction) database.exec("ROLLBACK");
      // A savepoint is atomic, so no part of it is committed.
      if (executor.isInSavepoint) throw error;
      // Rows before the failed one are valid: execute the batches again, one row at a time, and commit up to it.
      executor.rolledBack(committed);
      begin.run();
      try {
        executor.executeOneByOne(ring, tail, head);
      } finally {
        if (database.inTransaction) commitRows();
      }
    }
    // A savepoint that is larger than the ring comes in several batches: its transaction stays open.
    if (!executor.isInSavepoint && database.inTransaction) commitRows();
    seen = published;
    Atomics.store(control, slot.tail, head);
    if (!executor.isInSavepoint) Atomics.store(control, slot.committed, seen);
    wakeProducer();
  }
}

/** Copies the WAL's pages into the database file. */
function runCheckpoint(checkpoint: Statement): void {
  try {
    checkpoint.all();
  } catch {
    // On failure the pages stay in the WAL, which is equally durable. If the disk is full, the next commit fails.
  }
}

/** Wakes the producer: by Atomics when it blocks, by a message when it wants a callback. */
function wakeProducer(): void {
  Atomics.notify(control, slot.committed);
  if (Atomics.exchange(control, slot.isWanted, 0) === 1) parentPort?.postMessage("committed");
}

try {
  const database = new Connection(path);
  tune(database);
  addFunctions(database);
  parentPort?.postMessage("ready");
  commitBatches(database);
  database.close();
} catch (error) {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  writeFailure(memory, { code, message: error instanceof Error ? error.message : String(error) });
  Atomics.store(control, slot.hasFailed, 1);
  Atomics.store(control, slot.isWanted, 1);
  wakeProducer();
}
Atomics.store(control, slot.hasEnded, 1);
Atomics.notify(control, slot.committed);
