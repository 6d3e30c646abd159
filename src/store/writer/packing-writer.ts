import type { Statement } from "../connection.js";
import { asStoreError } from "../errors.js";
import type { PackedRows } from "./packed-rows.js";
import { RowEncoder } from "./row-codec.js";
import type { Cell, Writer } from "./writer.js";

/** Rows that may be lost when the process is killed: those of the batch that is open. */
const BATCH_ROWS = 512;

const FIRST_BYTES = 256 * 1024;
/** A batch that needed more than this was an exception: its memory is given back. */
const KEPT_BYTES = 4 * 1024 * 1024;

/**
 * Packs rows in the caller's thread. A batch is one row of the file: it costs little more than to copy its bytes, and no other
 * thread has a part in it. Its rows come to their tables later (`PackedRows`).
 */
export class PackingWriter implements Writer {
  rows: number;
  readonly #packed: PackedRows;
  readonly #path: string;
  #memory = new ArrayBuffer(FIRST_BYTES);
  readonly #encoder = new RowEncoder(this.#memory);
  #position = 0;
  #pending = 0;
  #isAtomic = false;
  #commitsByItself = true;
  #packedBytes = 0;
  #failure: Error | undefined;

  /** @param rows - how many the recording holds */
  constructor(packed: PackedRows, { path, rows }: { readonly path: string; readonly rows: number }) {
    this.#packed = packed;
    this.#path = path;
    this.rows = rows;
  }

  /** Bytes in the file that are still to come to their tables. */
  get packedBytes(): number {
    return this.#packedBytes;
  }

  write(statement: Statement, cells: readonly Cell[]): void {
    if (this.#failure !== undefined) throw this.#failure;
    const number = this.#encoder.numberOf(statement);
    const bound = this.#encoder.bound(number, cells);
    if (this.#position + bound > this.#memory.byteLength) this.#grow(this.#position + bound);
    this.#position = this.#encoder.row(number, cells, this.#position);
    this.rows++;
    if (++this.#pending >= BATCH_ROWS && this.#commitsByItself && !this.#isAtomic) this.flush();
  }

  flush(): void {
    if (this.#pending === 0) return;
    try {
      this.#packed.add(Buffer.from(this.#memory, 0, this.#position));
    } catch (error) {
      this.#failure = asStoreError(error, this.#path, "write");
      throw this.#failure;
    } finally {
      this.#packedBytes += this.#position;
      this.#begin();
    }
  }

  whenFlushed(then: () => void): void {
    this.flush();
    then();
  }

  atomically<T>(act: () => T): T {
    this.flush();
    const { rows } = this;
    this.#isAtomic = true;
    let result: T;
    try {
      result = act();
    } catch (error) {
      this.#begin();
      this.rows = rows;
      throw error;
    } finally {
      this.#isAtomic = false;
    }
    this.flush();
    return result;
  }

  commitOnFlush(): void {
    this.#commitsByItself = false;
  }

  close(): void {
    if (this.#failure === undefined) this.flush();
  }

  /** The next row is the first of a batch. */
  #begin(): void {
    this.#position = 0;
    this.#pending = 0;
    this.#encoder.begin();
    if (this.#memory.byteLength > KEPT_BYTES) this.#use(new ArrayBuffer(FIRST_BYTES));
  }

  #grow(bytes: number): void {
    const larger = new ArrayBuffer(Math.max(bytes, 2 * this.#memory.byteLength));
    Buffer.from(larger).set(Buffer.from(this.#memory, 0, this.#position));
    this.#use(larger);
  }

  #use(memory: ArrayBuffer): void {
    this.#memory = memory;
    this.#encoder.use(memory);
  }
}
