import assert from "node:assert/strict";
import type { Worker } from "node:worker_threads";
import { startWorker } from "../../base/index.js";
import type { Statement } from "../sqlite/connection.js";
import { asStoreError, storeError } from "../sqlite/errors.js";
import { at, newRingMemory, readFailure, type RingMemory } from "./ring.js";
import { type Mark, RowEncoder } from "./row-codec.js";
import type { LocalWriter } from "./local-writer.js";
import type { ThreadStart } from "./writer-thread.js";
import type { Cell, Writer } from "./writer.js";

/** Rows after which a batch is published without being asked for. */
const BATCH_ROWS = 512;

/** How long the file may take for what waits before the thread counts as dead: wall milliseconds. */
const PATIENCE_MS = 60_000;

/** Somebody who waits for a batch. */
interface Waiting {
  readonly batch: number;
  readonly callBack: () => void;
}

/** What a ThreadedWriter is given beside the file. */
export interface ThreadedWriterOptions {
  /** Has written the recording so far, and takes the rows that are too large for the ring. */
  readonly local: LocalWriter;
  /** Told when rows could not be written. */
  readonly failed: (error: Error) => void;
}

/**
 * Writes in a thread of its own, so that the caller's has time for its phones. Rows go through memory that both share, and
 * are prepared there by the statements' own text; whoever reads by the caller's connection sees what was committed.
 * At most 16 MiB of rows wait; whoever writes more waits for the file.
 */
export class ThreadedWriter implements Writer {
  readonly #path: string;
  readonly #worker: Worker;
  readonly #failed: (error: Error) => void;
  readonly #memory: RingMemory;
  readonly #control: Int32Array;
  readonly #encoder: RowEncoder;
  readonly #capacity: number;
  /** For rows that are larger than the ring takes. */
  readonly #local: LocalWriter;
  readonly #waiting: Waiting[] = [];
  rows: number;
  /** Where the next row goes; what lies between the published head and here is not for the writer yet. */
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
    { local, failed }: ThreadedWriterOptions,
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

  /** Starts the thread. */
  static async start(path: string, options: ThreadedWriterOptions): Promise<ThreadedWriter> {
    const { local } = options;
    local.flush();
    const memory = newRingMemory();
    const workerData: ThreadStart = { path, rows: local.rows, memory };
    const worker = await startWorker({
      from: import.meta.url,
      file: "writer-thread.js",
      workerData,
      name: `the thread that writes ${path}`,
    });
    // What goes wrong from here on is met by the next call.
    worker.on("error", () => undefined);
    worker.unref();
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
    this.#waitWhile(() => Atomics.load(this.#control, at.committed) !== this.#batches);
  }

  whenFlushed(then: () => void): void {
    this.#publish();
    if (Atomics.load(this.#control, at.committed) === this.#batches) return then();
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
      Atomics.store(this.#control, at.isEnding, 1);
      if (!this.#isGone) this.#awaitEnd();
      void this.#worker.terminate();
      this.#local.rows = this.rows;
    }
  }

  #mark(mark: Mark): void {
    this.#makeRoom(2);
    this.#position = this.#encoder.mark(mark, this.#position);
    this.#unpublished++;
  }

  #writeLarge(statement: Statement, cells: readonly Cell[]): void {
    assert(!this.#isAtomic, "the thread holds the file while it writes what belongs together");
    this.flush();
    this.#local.rows = this.rows;
    this.#local.write(statement, cells);
    this.#local.flush();
    this.rows++;
    Atomics.add(this.#control, at.beside, 1);
  }

  /** Sees to so many bytes in one piece at the position. */
  #makeRoom(bytes: number): void {
    // Two more for the mark of a wrap, and head and tail meet only when the ring is empty.
    const needed = bytes + 3;
    if (this.#capacity - this.#position < needed) {
      this.#waitForTail((tail) => tail <= this.#position && tail > 0);
      this.#encoder.wrap(this.#position);
      this.#position = 0;
    }
    const isFree = (tail: number): boolean => tail <= this.#position || tail - this.#position > needed;
    if (!isFree(Atomics.load(this.#control, at.tail))) this.#waitForTail(isFree);
  }

  #waitForTail(isFree: (tail: number) => boolean): void {
    if (isFree(Atomics.load(this.#control, at.tail))) return;
    // What is not published never goes away. In the middle of something atomic the thread does not commit it yet.
    this.#publish();
    this.#waitWhile(() => !isFree(Atomics.load(this.#control, at.tail)) && !this.#isDrained);
  }

  get #isDrained(): boolean {
    return Atomics.load(this.#control, at.tail) === this.#position;
  }

  #publish(): void {
    this.#throwFailure();
    if (this.#unpublished === 0) return;
    this.#unpublished = 0;
    this.#batches = (this.#batches + 1) | 0;
    this.#encoder.begin();
    Atomics.store(this.#control, at.head, this.#position);
    Atomics.store(this.#control, at.published, this.#batches);
    Atomics.notify(this.#control, at.published);
  }

  #waitWhile(isWaiting: () => boolean): void {
    for (const since = performance.now(); ;) {
      const committed = Atomics.load(this.#control, at.committed);
      this.#throwFailure();
      if (!isWaiting()) return;
      if (performance.now() - since > PATIENCE_MS) {
        this.#failure = new Error(`the recording ${this.#path} was not written for ${PATIENCE_MS / 1000} s`);
        throw this.#failure;
      }
      Atomics.wait(this.#control, at.committed, committed, 100);
    }
  }

  #throwFailure(): void {
    if (Atomics.load(this.#control, at.hasFailed) === 1) throw this.#failureOfThread();
    if (this.#failure !== undefined) throw this.#failure;
  }

  #failureOfThread(): Error {
    if (this.#failure === undefined) {
      const { code, message } = readFailure(this.#memory);
      this.#failure = asStoreError(Object.assign(new Error(message), { code }), this.#path, "write");
    }
    return this.#failure;
  }

  /** A thread that ended although nobody asked it to (no memory, say) has failed as one that says why. */
  #ended(): void {
    this.#isGone = true;
    if (!this.#isClosed && Atomics.load(this.#control, at.hasFailed) === 0) {
      this.#failure ??= storeError("writer-gone", this.#path, "write");
      this.#failed(this.#failure);
    } else this.#callBack();
  }

  #want(): void {
    Atomics.store(this.#control, at.isWanted, 1);
    // It may have committed between the look and the wish.
    if (this.#isOnDisk(this.#waiting[0])) setImmediate(() => this.#callBack());
  }

  #callBack(): void {
    if (Atomics.load(this.#control, at.hasFailed) === 1) {
      this.#failed(this.#failureOfThread());
      return;
    }
    let count = 0;
    while (this.#isOnDisk(this.#waiting[count])) count++;
    for (const { callBack } of this.#waiting.splice(0, count)) callBack();
    if (this.#waiting.length > 0) this.#want();
  }

  /** Batches are counted in 32 bits: what lies less than half of that behind is behind. */
  #isOnDisk(waiting: Waiting | undefined): boolean {
    return waiting !== undefined && ((waiting.batch - Atomics.load(this.#control, at.committed)) | 0) <= 0;
  }

  #awaitEnd(): void {
    for (const since = performance.now(); performance.now() - since < PATIENCE_MS;) {
      const committed = Atomics.load(this.#control, at.committed);
      if (Atomics.load(this.#control, at.hasEnded) === 1) return;
      Atomics.notify(this.#control, at.published);
      Atomics.wait(this.#control, at.committed, committed, 20);
    }
  }
}
