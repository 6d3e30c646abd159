/** The thread that writes a recording: takes rows from the ring and commits all that it finds, again and again. */
import { parentPort, workerData } from "node:worker_threads";
import { Connection, type Statement } from "../connection.js";
import { addFunctions } from "../functions.js";
import { tune } from "../tune.js";
import { GatheredRows } from "./gathered-rows.js";
import { at, type RingMemory, writeFailure } from "./ring.js";
import { type Cells, type Mark, RowDecoder } from "./row-codec.js";
import { ROWS } from "./writer.js";

/** What the thread is given to begin with. */
export interface ThreadStart {
  readonly path: string;
  /** Rows that the recording holds. */
  readonly rows: number;
  readonly memory: RingMemory;
}

const { path, memory, ...start } = workerData as ThreadStart;
const control = new Int32Array(memory.control);

/** What is taken back must still be read, since later rows refer to words in it: so SQLite takes it back. */
const savepoints = {
  begin: "SAVEPOINT together",
  keep: "RELEASE together",
  undo: "ROLLBACK TO together; RELEASE together",
};

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
  const count = database.prepare(`INSERT OR REPLACE INTO run VALUES ('${ROWS}', ?)`);
  const tidy = database.prepare("PRAGMA wal_checkpoint(PASSIVE)");
  let pages = 0;
  const decoder = new RowDecoder(memory.bytes);
  const gathered = new GatheredRows(database);
  let { rows } = start;
  let committed = rows;
  let rowsBefore = 0;
  /** In the middle of rows that belong together: more of them than the ring takes come in several batches. */
  let isTogether = false;
  const sink = {
    isOneByOne: false,
    statement: (number: number, sql: string): void => gathered.statement(number, sql),
    cells: (statement: number): Cells => gathered.cells(statement),
    row(statement: number): void {
      gathered.add(statement);
      if (sink.isOneByOne) gathered.write();
      rows++;
    },
    mark(mark: Mark): void {
      gathered.write();
      database.exec(savepoints[mark]);
      isTogether = mark === "begin";
      if (mark === "begin") rowsBefore = rows;
      else if (mark === "undo") rows = rowsBefore;
    },
  };
  const end = (): void => {
    count.run(String(rows + Atomics.load(control, at.beside)));
    commit.run();
    pages += pagesOf(rows - committed);
    committed = rows;
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
      decoder.read(tail, head, sink);
      gathered.write();
    } catch (error) {
      if (database.inTransaction) database.exec("ROLLBACK");
      // What belongs together is not there in part.
      if (isTogether) throw error;
      // The rows before one that failed are good: written one by one they come into the file up to there.
      gathered.forget();
      sink.isOneByOne = true;
      rows = committed;
      begin.run();
      try {
        decoder.read(tail, head, sink);
      } finally {
        sink.isOneByOne = false;
        if (database.inTransaction) end();
      }
    }
    if (!isTogether && database.inTransaction) end();
    seen = published;
    Atomics.store(control, at.tail, head);
    if (!isTogether) Atomics.store(control, at.committed, seen);
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
