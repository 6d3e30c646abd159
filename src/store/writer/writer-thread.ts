/** The thread that writes a recording: takes rows from the ring and commits all that it finds, again and again. */
import { parentPort, workerData } from "node:worker_threads";
import Database, { type Statement } from "better-sqlite3";
import { addFunctions } from "../functions.js";
import { tune } from "../tune.js";
import { at, type RingMemory, writeFailure } from "./ring.js";
import { type Mark, RowDecoder } from "./row-codec.js";
import { type Cell, ROWS } from "./writer.js";

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

/** Until it is told to end. */
function write(database: Database.Database): void {
  const statements: Statement[] = [];
  const begin = database.prepare("BEGIN IMMEDIATE");
  const commit = database.prepare("COMMIT");
  const count = database.prepare(`INSERT OR REPLACE INTO run VALUES ('${ROWS}', ?)`);
  const decoder = new RowDecoder(memory.bytes);
  let { rows } = start;
  let rowsBefore = 0;
  /** In the middle of rows that belong together: more of them than the ring takes come in several batches. */
  let isTogether = false;
  const sink = {
    statement: (sql: string): void => void statements.push(database.prepare(sql)),
    row(statement: number, cells: readonly Cell[]): void {
      (statements[statement] as Statement).run(...cells);
      rows++;
    },
    mark(mark: Mark): void {
      database.exec(savepoints[mark]);
      isTogether = mark === "begin";
      if (mark === "begin") rowsBefore = rows;
      else if (mark === "undo") rows = rowsBefore;
    },
  };
  for (let seen = 0; ;) {
    // In this order: whoever publishes moves the head first.
    const published = Atomics.load(control, at.published);
    if (published === seen) {
      if (Atomics.load(control, at.isEnding) === 1) return;
      Atomics.wait(control, at.published, seen);
      continue;
    }
    const head = Atomics.load(control, at.head);
    if (!database.inTransaction) begin.run();
    let isRead = false;
    try {
      decoder.read(Atomics.load(control, at.tail), head, sink);
      isRead = true;
    } finally {
      // The rows before one that failed are good, but for those that it belongs to.
      if (!isRead && isTogether && database.inTransaction) sink.mark("undo");
      if (!isTogether && database.inTransaction) {
        count.run(String(rows + Atomics.load(control, at.beside)));
        commit.run();
      }
    }
    seen = published;
    Atomics.store(control, at.tail, head);
    if (!isTogether) Atomics.store(control, at.committed, seen);
    tell();
  }
}

/** Whoever waits for the file goes on. */
function tell(): void {
  Atomics.notify(control, at.committed);
  if (Atomics.exchange(control, at.isWanted, 0) === 1) parentPort?.postMessage("committed");
}

try {
  const database = new Database(path);
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
