/**
 * Serializer for batches of records between two threads: numbers and bytes in a transferred ArrayBuffer, all texts in
 * one string. A message between threads costs as much as ten requests, so a batch holds many records.
 *
 * Delta encoding: a text equal to the last one of its kind (URLs, header lines) is sent as a marker. Both sides keep
 * the last texts, so one reader must read everything that one writer writes, in order.
 */

const FIRST_BYTES = 64 * 1024;
/** A buffer that grew beyond this is released after its batch. */
const KEPT_BYTES = 1024 * 1024;

/** Markers in place of a length: null; equal to the last one. */
const NONE = 0xffff_ffff;
const SAME = 0xffff_fffe;

/** Byte arrays of this length or more are not compared with the last one. */
const SHORT_BYTES = 64;

/** One message between the threads. */
export interface Batch {
  readonly bytes: ArrayBuffer;
  readonly texts: string;
}

/** Writes records into a batch. */
export class BatchWriter {
  #bytes: Buffer = Buffer.alloc(FIRST_BYTES);
  #view = viewOf(this.#bytes);
  #position = 0;
  #texts = "";
  readonly #lastTexts: (string | null)[] = [];
  #lastBytes: Uint8Array = Buffer.alloc(0);

  /** Whether nothing was written since the last `takeBatch`. */
  get isEmpty(): boolean {
    return this.#position === 0;
  }

  /** Returns everything written so far, and starts the next batch. */
  takeBatch(): Batch {
    const bytes = new ArrayBuffer(this.#position);
    const texts = this.#texts;
    this.#bytes.copy(new Uint8Array(bytes), 0, 0, this.#position);
    this.#position = 0;
    this.#texts = "";
    if (this.#bytes.length > KEPT_BYTES) this.#use(Buffer.alloc(FIRST_BYTES));
    return { bytes, texts };
  }

  writeUint(value: number): void {
    this.#reserve(4);
    this.#view.setUint32(this.#position, value, true);
    this.#position += 4;
  }

  writeFloat(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.#position, value, true);
    this.#position += 8;
  }

  writeText(text: string | null): void {
    if (text === null) return this.writeUint(NONE);
    this.writeUint(text.length);
    this.#texts += text;
  }

  /** Writes a text that often equals the last one of its kind. @param kind - counts from 0 */
  writeRepeatedText(kind: number, text: string | null): void {
    if (this.#lastTexts[kind] === text) return this.writeUint(SAME);
    this.#lastTexts[kind] = text;
    this.writeText(text);
  }

  writeBytes(bytes: Uint8Array | null): void {
    if (bytes === null) return this.writeUint(NONE);
    if (bytes.length < SHORT_BYTES) {
      if (bytes === this.#lastBytes || Buffer.compare(this.#lastBytes, bytes) === 0) return this.writeUint(SAME);
      this.#lastBytes = bytes;
    }
    this.writeUint(bytes.length);
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#position);
    this.#position += bytes.length;
  }

  #reserve(count: number): void {
    const needed = this.#position + count;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.alloc(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#position);
    this.#use(larger);
  }

  #use(bytes: Buffer): void {
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
  }
}

/** Reads records: one read method for each write method, in the same order. */
export class BatchReader {
  #bytes: Buffer = Buffer.alloc(0);
  #view = viewOf(this.#bytes);
  #position = 0;
  #texts = "";
  #textPosition = 0;
  readonly #lastTexts: (string | null)[] = [];
  #lastBytes: Uint8Array = Buffer.alloc(0);

  /** Opens the next batch. */
  openBatch({ bytes, texts }: Batch): void {
    this.#bytes = Buffer.from(bytes);
    this.#view = viewOf(this.#bytes);
    this.#position = 0;
    this.#texts = texts;
    this.#textPosition = 0;
  }

  /** Whether the batch is read to its end. */
  get isAtEnd(): boolean {
    return this.#position >= this.#bytes.length;
  }

  readUint(): number {
    const value = this.#view.getUint32(this.#position, true);
    this.#position += 4;
    return value;
  }

  readFloat(): number {
    const value = this.#view.getFloat64(this.#position, true);
    this.#position += 8;
    return value;
  }

  readText(): string | null {
    const length = this.readUint();
    return length === NONE ? null : this.#readTextOf(length);
  }

  readRepeatedText(kind: number): string | null {
    const length = this.readUint();
    if (length === SAME) return this.#lastTexts[kind] ?? null;
    // A copy: it lives long, also as the key of a map, and a slice would retain the whole batch.
    const text = length === NONE ? null : Buffer.from(this.#readTextOf(length)).toString();
    this.#lastTexts[kind] = text;
    return text;
  }

  /** The result may be returned again: callers must not write to it. */
  readBytes(): Uint8Array | null {
    const length = this.readUint();
    if (length === NONE) return null;
    if (length === SAME) return this.#lastBytes;
    // A copy: a subarray would retain the whole batch.
    const bytes = Buffer.from(this.#bytes.subarray(this.#position, this.#position + length));
    this.#position += length;
    if (length < SHORT_BYTES) this.#lastBytes = bytes;
    return bytes;
  }

  #readTextOf(length: number): string {
    const start = this.#textPosition;
    this.#textPosition += length;
    return this.#texts.slice(start, this.#textPosition);
  }
}

/** A DataView reads and writes numbers faster than a Buffer. */
function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}
