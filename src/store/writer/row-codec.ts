import type { Statement } from "../sqlite/connection.js";
import type { Cell } from "./writer.js";

/**
 * Rows as bytes. A row is the number of its statement, how many cells it has, and the cells, each with a tag. Two things
 * save most of the work, for a recording says the same again and again: words are sent once and have numbers from then on,
 * and a long text (headers) or bytes (an answer) that a column had before are not sent at all.
 *
 * All that is for one batch: it names its statements and begins its words anew. So it can be read a second time, or together
 * with those behind it.
 */

const NULL = 0;
const INT32 = 1;
const DOUBLE = 2;
/** A length of one byte, ASCII. */
const SHORT = 3;
/** A length of four bytes, ASCII. */
const ASCII = 4;
/** A length of four bytes, UTF-8. */
const TEXT = 5;
/** A length of four bytes. */
const BYTES = 6;
/** The number of a word. */
const WORD = 7;
/** The number that a word has from now on, a length of one byte, ASCII. */
const NEW_WORD = 8;
/** What this column had in its statement's last row that had a long text or bytes there. */
const SAME = 9;

/** In place of a statement's number: a new statement's number and text follow. */
const STATEMENT = 0xfffe;
/** In place of a statement's number: the rest of the ring is empty. */
const WRAP = 0xffff;

/** In place of a statement's number: what follows belongs together; it was done; it is to be taken back. */
const marks = { begin: 0xfffb, keep: 0xfffc, undo: 0xfffd } as const;
export type Mark = keyof typeof marks;

const marked = new Map<number, Mark>([
  [marks.begin, "begin"],
  [marks.keep, "keep"],
  [marks.undo, "undo"],
]);

/** Statements have lower numbers. */
const STATEMENTS = marks.begin;

/** Words are at most so long, and there are at most so many: to look one up must cost less than to send it. */
const WORD_LENGTH = 12;
const WORDS = 1024;
/** From this length on it is worth comparing a text with the last one. */
const LONG = 32;

/** Long texts and bytes of the batch that is written or read: the last ones by statement and column. */
class LastOnes {
  readonly #ones: (string | Uint8Array | undefined)[][] = [];

  /** To be called when a batch begins. */
  forget(): void {
    this.#ones.length = 0;
  }

  of(statement: number): (string | Uint8Array | undefined)[] {
    return (this.#ones[statement] ??= []);
  }
}

/** A statement that rows have. */
interface Known {
  readonly statement: Statement;
  readonly sql: string;
  /** Whether the batch that is being written has its text. */
  isAnnounced: boolean;
}

/** Writes rows into memory. Whoever calls has seen to it that there is room: see `bound`. */
export class RowEncoder {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  readonly #known: Known[] = [];
  readonly #words = new Map<string, number>();
  readonly #last = new LastOnes();

  constructor(memory: SharedArrayBuffer) {
    this.#bytes = Buffer.from(memory);
    this.#view = new DataView(memory);
  }

  /** The number that a statement has in all batches. A run has a few, and what it writes most is found at once. */
  numberOf(statement: Statement): number {
    const known = this.#known;
    for (let number = 0; number < known.length; number++) if (known[number]?.statement === statement) return number;
    return known.push({ statement, sql: statement.source, isAnnounced: false }) - 1;
  }

  /** The most bytes that a row can take, in whichever batch. */
  bound(statement: number, cells: readonly Cell[]): number {
    const { sql } = this.#known[statement] as Known;
    let bytes = 11 + 3 * sql.length + 9 * cells.length;
    for (let column = 0; column < cells.length; column++) {
      const cell = cells[column] as Cell;
      if (typeof cell === "string") bytes += 3 * cell.length;
      else if (typeof cell === "object" && cell !== null) bytes += cell.length;
    }
    return bytes;
  }

  /** A batch begins: it will be read by itself. */
  begin(): void {
    this.#last.forget();
    this.#words.clear();
    for (const known of this.#known) known.isAnnounced = false;
  }

  #announce(number: number, known: Known, position: number): number {
    known.isAnnounced = true;
    this.#view.setUint16(position, STATEMENT, true);
    this.#view.setUint16(position + 2, number, true);
    const length = this.#bytes.write(known.sql, position + 8, "utf8");
    this.#view.setUint32(position + 4, length, true);
    return position + 8 + length;
  }

  /** @returns where the next row goes */
  mark(mark: Mark, position: number): number {
    this.#view.setUint16(position, marks[mark], true);
    return position + 2;
  }

  wrap(position: number): void {
    this.#view.setUint16(position, WRAP, true);
  }

  /** @returns where the next row goes */
  row(statement: number, cells: readonly Cell[], at: number): number {
    const known = this.#known[statement] as Known;
    const start = known.isAnnounced ? at : this.#announce(statement, known, at);
    const bytes = this.#bytes;
    const view = this.#view;
    view.setUint16(start, statement, true);
    bytes[start + 2] = cells.length;
    let position = start + 3;
    for (let column = 0; column < cells.length; column++) {
      const cell = cells[column] as Cell;
      if (typeof cell === "number") {
        const isSmall = (cell | 0) === cell && !Object.is(cell, -0);
        bytes[position] = isSmall ? INT32 : DOUBLE;
        if (isSmall) view.setInt32(position + 1, cell, true);
        else view.setFloat64(position + 1, cell, true);
        position += isSmall ? 5 : 9;
      } else if (cell === null) bytes[position++] = NULL;
      else if (typeof cell === "string" && cell.length < LONG) position = this.#shortText(cell, position);
      else {
        const last = this.#last.of(statement);
        if (isSame(last[column], cell)) bytes[position++] = SAME;
        else {
          last[column] = cell;
          position = typeof cell === "string" ? this.#text(cell, position) : this.#blob(cell, position);
        }
      }
    }
    return position;
  }

  #text(text: string, position: number): number {
    const length = this.#bytes.write(text, position + 5, "utf8");
    this.#bytes[position] = length === text.length ? ASCII : TEXT;
    this.#view.setUint32(position + 1, length, true);
    return position + 5 + length;
  }

  #blob(blob: Uint8Array, position: number): number {
    this.#bytes[position] = BYTES;
    this.#view.setUint32(position + 1, blob.length, true);
    this.#bytes.set(blob, position + 5);
    return position + 5 + blob.length;
  }

  #shortText(text: string, position: number): number {
    const { length } = text;
    const word = length <= WORD_LENGTH ? this.#words.get(text) : undefined;
    if (word !== undefined) {
      this.#bytes[position] = WORD;
      this.#view.setUint16(position + 1, word, true);
      return position + 3;
    }
    const isNew = length <= WORD_LENGTH && this.#words.size < WORDS;
    const from = position + (isNew ? 4 : 2);
    for (let index = 0; index < length; index++) {
      const unit = text.charCodeAt(index);
      if (unit > 0x7f) return this.#text(text, position);
      this.#bytes[from + index] = unit;
    }
    this.#bytes[position] = isNew ? NEW_WORD : SHORT;
    this.#bytes[from - 1] = length;
    if (isNew) {
      this.#view.setUint16(position + 1, this.#words.size, true);
      this.#words.set(text, this.#words.size);
    }
    return from + length;
  }
}

/** Whether a cell is what it was the last time; bytes of a few, as to compare them must not cost more than to send them. */
function isSame(last: string | Uint8Array | undefined, cell: string | Uint8Array): boolean {
  if (last === cell) return true;
  if (typeof last !== "object" || typeof cell === "string" || last.length !== cell.length) return false;
  return cell.length < LONG && cell.every((byte, index) => byte === last[index]);
}

/** Where the cells of rows are put, one after the other. */
export interface Cells {
  readonly cells: Cell[];
  /** So many are there; what lies beyond is of earlier rows. */
  count: number;
}

/** What the writer is told, in order. */
export interface RowSink {
  statement(number: number, sql: string): void;
  /** Where the cells of a statement's next row are put. */
  cells(statement: number): Cells;
  /** They have been. */
  row(statement: number): void;
  mark(mark: Mark): void;
}

/** Reads rows back. */
export class RowDecoder {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  readonly #words: string[] = [];
  readonly #last = new LastOnes();

  constructor(memory: SharedArrayBuffer) {
    this.#bytes = Buffer.from(memory);
    this.#view = new DataView(memory);
  }

  /**
   * Reads whole batches, from a place up to another one, around the end of the ring where that lies before it. Bytes are
   * given as they lie there.
   */
  read(from: number, to: number, sink: RowSink): void {
    this.#last.forget();
    let position = from;
    while (position !== to) {
      const number = this.#view.getUint16(position, true);
      if (number < STATEMENTS) {
        position = this.#row(number, position + 2, sink.cells(number));
        sink.row(number);
      } else if (number === WRAP) position = 0;
      else if (number === STATEMENT) {
        const from = position + 8;
        position = from + this.#view.getUint32(position + 4, true);
        sink.statement(this.#view.getUint16(from - 6, true), this.#bytes.toString("utf8", from, position));
      } else {
        sink.mark(marked.get(number) as Mark);
        position += 2;
      }
    }
  }

  #row(statement: number, start: number, to: Cells): number {
    const bytes = this.#bytes;
    const view = this.#view;
    const { cells, count } = to;
    const columns = bytes[start] as number;
    to.count += columns;
    let position = start + 1;
    for (let column = 0; column < columns; column++) {
      const tag = bytes[position++];
      let cell: Cell;
      switch (tag) {
        case INT32:
          cell = view.getInt32(position, true);
          position += 4;
          break;
        case DOUBLE:
          cell = view.getFloat64(position, true);
          position += 8;
          break;
        case WORD:
          cell = this.#words[view.getUint16(position, true)] as string;
          position += 2;
          break;
        case NEW_WORD: {
          const end = position + 3 + (bytes[position + 2] as number);
          cell = bytes.toString("latin1", position + 3, end);
          this.#words[view.getUint16(position, true)] = cell;
          position = end;
          break;
        }
        case SHORT: {
          const end = position + 1 + (bytes[position] as number);
          cell = bytes.toString("latin1", position + 1, end);
          position = end;
          break;
        }
        case ASCII:
        case TEXT: {
          const end = position + 4 + view.getUint32(position, true);
          cell = bytes.toString(tag === ASCII ? "latin1" : "utf8", position + 4, end);
          if (cell.length >= LONG) this.#last.of(statement)[column] = cell;
          position = end;
          break;
        }
        case BYTES: {
          const end = position + 4 + view.getUint32(position, true);
          cell = bytes.subarray(position + 4, end);
          this.#last.of(statement)[column] = cell;
          position = end;
          break;
        }
        case SAME:
          cell = this.#last.of(statement)[column] as string | Uint8Array;
          break;
        default:
          cell = null;
      }
      cells[count + column] = cell;
    }
    return position;
  }
}
