import assert from "node:assert/strict";
import type { Worker } from "node:worker_threads";
import { startWorker } from "../../base/index.js";
import type { Statement } from "../sqlite/connection.js";
import { asStoreError, storeError } from "../sqlite/errors.js";
import { slot, newRingMemory, readFailure, type RingMemory } from "./ring-buffer.js";
import { type SavepointMark, RowEncoder } from "./row-codec.js";
import type { LocalWriter } from "./local-writer.js";
import type { ThreadStart } from "./writer-thread.js";
import type { Cell, Writer } from "./writer.js";

/** A batch of this many rows is published without a flush. */
const BATCH_ROWS = 512;

/** Wall milliseconds without a commit after which the thread is considered dead. */
const PATIENCE_MS = 60_000;

/** A callback that waits for a batch to be durable. */
interface WaitingCallback {
  readonly batch: number;
  readonly callBack: () => void;
}

/** Options of a ThreadedWriter. */
export interface ThreadedWriterOptions {
  /** The writer used so far; it also writes the rows that are too large for the ring. */
  readonly local: LocalWriter;
  /** Receives the error when rows could not be written. */
  readonly onFailure: (error: Error) => void;
}

/**
 * Writes in a separate thread, so that the caller's thread spends its time on the phones. Rows pass through a ring
 * buffer in shared memory; the thread prepares the same statements from their SQL. A reader on the caller's
 * connection sees committed rows only. Back-pressure: at most 16 MiB of rows wait, then `write` blocks.
 */
export class ThreadedWriter implements Writer {
  readonly #path: string;
  readonly #worker: Worker;
  readonly #failed: (error: Error) => void;
  readonly #memory: RingMemory;
  readonly #control: Int32Array;
  readonly #encoder: RowEncoder;
  readonly #capacity: number;
  /** Writes rows that are too large for the ring. */
  readonly #local: LocalWriter;
  readonly #waiting: WaitingCallback[] = [];
  rows: number;
  /** Position of the next encoded row. Bytes from the published head to here are unpublished. */
  #position = 0;
  #unpublished = 0;
  #batches = 0;
  #isAtomic = false;
  #commitsByItself = true;
  #isClosed = false;
  #isGone = false;
  #failure: Error | undefined;

  private constructor(
    path: string,
    { local, onFailure: failed }: ThreadedWriterOptions,
    { worker, memory }: { worker: Worker; memory: RingMemory },
  ) {
    this.#path = path;
    this.#failed = failed;
    this.#local = local;
    this.#worker = worker;
    this.#memory = memory;
    this.#control = new Int32Array(memory.control);
    this.#encoder = new RowEncoder(memory.bytes);
    this.#capacity = memory.bytes.byteLength;
    this.rows = local.rows;
    worker.on("message", () => this.#callBack());
    worker.on("exit", () => this.#ended());
  }

  /** Starts the thread. Meanwhile the local writer may write more rows. */
  static async start(path: string, options: ThreadedWriterOptions): Promise<ThreadedWriter> {
    const { local } = options;
    const memory = newRingMemory();
    const workerData: ThreadStart = { path, memory };
    const worker = await startWorker({
      module: "store/writer/writer-thread.js",
      workerData,
      name: `the thread that writes ${path}`,
    });
    // A later error of the thread is thrown by the next call.
    worker.on("error", () => undefined);
    worker.unref();
    local.flush();
    Atomics.store(new Int32Array(memory.control), slot.rowsOfProducer, local.rows);
    return new ThreadedWriter(path, options, { worker, memory });
  }

  write(statement: Statement, cells: readonly Cell[]): void {
    if (this.#failure !== undefined) throw this.#failure;
    const number = this.#encoder.numberOf(statement);
    const bound = this.#encoder.bound(number, cells);
    if (bound > this.#capacity / 8) return this.#writeLarge(statement, cells);
    this.#makeRoom(bound);
    this.#position = this.#encoder.row(number, cells, this.#position);
    this.rows++;
    if (++this.#unpublished >= BATCH_ROWS && this.#commitsByItself && !this.#isAtomic) this.#publish();
  }

  flush(): void {
    this.#publish();
    this.#waitWhile(() => Atomics.load(this.#control, slot.committed) !== this.#batches);
  }

  whenFlushed(then: () => void): void {
    this.#publish();
    if (Atomics.load(this.#control, slot.committed) === this.#batches) return then();
    this.#waiting.push({ batch: this.#batches, callBack: then });
    this.#want();
  }

  atomically<T>(act: () => T): T {
    this.flush();
    const { rows } = this;
    this.#isAtomic = true;
    this.#mark("begin");
    try {
      const result = act();
      this.#mark("keep");
      return result;
    } catch (error) {
      this.#mark("undo");
      this.rows = rows;
      throw error;
    } finally {
      this.#isAtomic = false;
      this.flush();
    }
  }

  commitOnFlush(): void {
    this.#commitsByItself = false;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      if (this.#failure === undefined) this.flush();
    } finally {
      Atomics.store(this.#control, slot.isEnding, 1);
      if (!this.#isGone) this.#awaitEnd();
      void this.#worker.terminate();
      this.#local.rows = this.rows;
    }
  }

  #mark(mark: SavepointMark): void {
    this.#makeRoom(2);
    this.#position = this.#encoder.mark(mark, this.#position);
    this.#unpublished++;
  }

  #writeLarge(statement: Statement, cells: readonly Cell[]): void {
    assert(!this.#isAtomic, "a row of an atomic group is too large for the ring");
    this.flush();
    this.#local.rows = this.rows;
    this.#local.write(statement, cells);
    this.#local.flush();
    this.rows++;
    Atomics.add(this.#control, slot.rowsOfProducer, 1);
  }

  /**
   * Waits until the ring has this many contiguous free bytes at the position; wraps around when too few bytes remain
   * before the end.
   */
  #makeRoom(bytes: number): void {
    // 2 bytes for the wrap mark, and 1 because head equals tail only when the ring is empty.
    const needed = bytes + 3;
    if (this.#capacity - this.#position < needed) {
      this.#waitForTail((tail) => tail <= this.#position && tail > 0);
      this.#encoder.wrap(this.#position);
      this.#position = 0;
    }
    const isFree = (tail: number): boolean => tail <= this.#position || tail - this.#position > needed;
    if (!isFree(Atomics.load(this.#control, slot.tail))) this.#waitForTail(isFree);
  }

  #waitForTail(isFree: (tail: number) => boolean): void {
    if (isFree(Atomics.load(this.#control, slot.tail))) return;
    // Publishes the pending rows: the consumer does not see unpublished bytes, so the producer would wait forever.
    // The thread does not commit rows of an open savepoint yet.
    this.#publish();
    this.#waitWhile(() => !isFree(Atomics.load(this.#control, slot.tail)) && !this.#isDrained);
  }

  get #isDrained(): boolean {
    return Atomics.load(this.#control, slot.tail) === this.#position;
  }

  #publish(): void {
    this.#throwFailure();
    if (this.#unpublished === 0) return;
    this.#unpublished = 0;
    this.#batches = (this.#batches + 1) | 0;
    this.#encoder.begin();
    Atomics.store(this.#control, slot.head, this.#position);
    Atomics.store(this.#control, slot.published, this.#batches);
    Atomics.notify(this.#control, slot.published);
  }

  #waitWhile(isWaiting: () => boolean): void {
    for (const since = performance.now(); ;) {
      const committed = Atomics.load(this.#control, slot.committed);
      this.#throwFailure();
      if (!isWaiting()) return;
      if (performance.now() - since > PATIENCE_MS) {
        this.#failure = new Error(`the recording ${this.#path} was not written for ${PATIENCE_MS / 1000} s`);
        throw this.#failure;
      }
      Atomics.wait(this.#control, slot.committed, committed, 100);
    }
  }

  #throwFailure(): void {
    if (Atomics.load(this.#control, slot.hasFailed) === 1) throw this.#failureOfThread();
    if (this.#failure !== undefined) throw this.#failure;
  }

  #failureOfThread(): Error {
    if (this.#failure === undefined) {
      const { code, message } = readFailure(this.#memory);
      this.#failure = asStoreError(Object.assign(new Error(message), { code }), this.#path, "write");
    }
    return this.#failure;
  }

  /** Handles the thread's exit. An exit without request, such as out of memory, is a failure. */
  #ended(): void {
    this.#isGone = true;
    if (!this.#isClosed && Atomics.load(this.#control, slot.hasFailed) === 0) {
      this.#failure ??= storeError("writer-gone", this.#path, "write");
      this.#failed(this.#failure);
    } else this.#callBack();
  }

  #want(): void {
    Atomics.store(this.#control, slot.isWanted, 1);
    // The commit may have happened before `isWanted` was set: then no message comes.
    if (this.#isOnDisk(this.#waiting[0])) setImmediate(() => this.#callBack());
  }

  #callBack(): void {
    if (Atomics.load(this.#control, slot.hasFailed) === 1) {
      this.#failed(this.#failureOfThread());
      return;
    }
    let count = 0;
    while (this.#isOnDisk(this.#waiting[count])) count++;
    for (const { callBack } of this.#waiting.splice(0, count)) callBack();
    if (this.#waiting.length > 0) this.#want();
  }

  /** Serial number arithmetic: batches are counted modulo 2^32, and the sign of the difference decides. */
  #isOnDisk(waiting: WaitingCallback | undefined): boolean {
    return waiting !== undefined && ((waiting.batch - Atomics.load(this.#control, slot.committed)) | 0) <= 0;
  }

  #awaitEnd(): void {
    for (const since = performance.now(); performance.now() - since < PATIENCE_MS;) {
      const committed = Atomics.load(this.#control, slot.committed);
      if (Atomics.load(this.#control, slot.hasEnded) === 1) return;
      Atomics.notify(this.#control, slot.published);
      Atomics.wait(this.#control, slot.committed, committed, 20);
    }
  }
}
