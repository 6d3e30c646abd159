/**
 * Many small records in two pieces, which are handed from one thread to another as a whole: numbers and bytes in memory, and
 * all texts as one. A message between threads costs as much as ten requests; a batch of them costs next to nothing.
 *
 * Texts that are the same as the last one of their kind (addresses, the headers of answers) are sent once: both sides
 * remember them, so one reader must read all that one writer writes, in order.
 */

const FIRST_BYTES = 64 * 1024;
/** A parcel that needed more than this was an exception: its memory is given back. */
const KEPT_BYTES = 1024 * 1024;

/** In place of a length: there is nothing; it is the last one again. */
const NONE = 0xffff_ffff;
const SAME = 0xffff_fffe;

/** Bytes from this length on are sent although they are the same. */
const SHORT_BYTES = 64;

/** What crosses. */
export interface Batch {
  readonly bytes: ArrayBuffer;
  readonly texts: string;
}

/** Writes records. */
export class BatchWriter {
  #bytes: Buffer = Buffer.alloc(FIRST_BYTES);
  #view = viewOf(this.#bytes);
  #position = 0;
  #texts = "";
  readonly #lastTexts: (string | null)[] = [];
  #lastBytes: Uint8Array = Buffer.alloc(0);

  /** Whether nothing was written since the last `take`. */
  get isEmpty(): boolean {
    return this.#position === 0;
  }

  /** All that was written, to be handed over. */
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

  /** @param kind - counts from 0: texts of one kind are often the same one after the other */
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

/** Reads records, each part by the method that has written it. */
export class BatchReader {
  #bytes: Buffer = Buffer.alloc(0);
  #view = viewOf(this.#bytes);
  #position = 0;
  #texts = "";
  #textPosition = 0;
  readonly #lastTexts: (string | null)[] = [];
  #lastBytes: Uint8Array = Buffer.alloc(0);

  /** Goes on with the next parcel. */
  openBatch({ bytes, texts }: Batch): void {
    this.#bytes = Buffer.from(bytes);
    this.#view = viewOf(this.#bytes);
    this.#position = 0;
    this.#texts = texts;
    this.#textPosition = 0;
  }

  /** Whether all of the parcel was read. */
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
    // A copy: it is kept for long, as the key of a map even, and must not keep the whole parcel.
    const text = length === NONE ? null : Buffer.from(this.#readTextOf(length)).toString();
    this.#lastTexts[kind] = text;
    return text;
  }

  /** What it gives may be given again: it is not to be written to. */
  readBytes(): Uint8Array | null {
    const length = this.readUint();
    if (length === NONE) return null;
    if (length === SAME) return this.#lastBytes;
    // A copy: one that is kept must not keep the whole parcel.
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

/** Reads and writes numbers in a fraction of the time that a Buffer takes. */
function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}
