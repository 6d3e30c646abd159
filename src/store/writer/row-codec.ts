import type { Statement } from "../sqlite/connection.js";
import type { Cell } from "./writer.js";

/**
 * Encodes rows as bytes: the number of the statement, the number of cells, and the cells, each with a tag. Repeated
 * values are compressed in two ways:
 *
 * - dictionary encoding: a short text ("word") is sent once and by its number from then on;
 * - delta encoding: a long text (headers) or bytes (an answer's body) equal to the column's previous value are not
 *   sent.
 *
 * Each batch is self-contained: it declares its statements and starts an empty dictionary. So the consumer can read a
 * batch again after a rollback, or several batches in one pass.
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
/** The number of a word in the dictionary. */
const WORD = 7;
/** A new word: its number, a length of one byte, ASCII. */
const NEW_WORD = 8;
/** The column's previous long text or bytes, in a row of the same statement. */
const SAME = 9;

/** In place of a statement's number: a new statement's number and text follow. */
const STATEMENT = 0xfffe;
/** In place of a statement's number: the rest of the ring is empty. */
const WRAP = 0xffff;

/** In place of a statement's number: a savepoint begins, is released, or is rolled back. */
const marks = { begin: 0xfffb, keep: 0xfffc, undo: 0xfffd } as const;

/** A savepoint mark: `begin` opens it, `keep` releases it, `undo` rolls it back. */
export type SavepointMark = keyof typeof marks;

const marked = new Map<number, SavepointMark>([
  [marks.begin, "begin"],
  [marks.keep, "keep"],
  [marks.undo, "undo"],
]);

/** Every statement has a lower number. */
const STATEMENT_LIMIT = marks.begin;

/** Longest word in the dictionary; above it a look-up takes longer than sending the word. */
const WORD_LENGTH_MAX = 12;
const WORDS_MAX = 1024;
/** From this length on a text is delta-encoded. */
const LONG_LENGTH = 32;

/** The latest long text or bytes of each statement and column, within one batch. */
class LastLongCells {
  readonly #ones: (string | Uint8Array | undefined)[][] = [];

  /** Call it when a batch begins. */
  clear(): void {
    this.#ones.length = 0;
  }

  cellsOf(statement: number): (string | Uint8Array | undefined)[] {
    return (this.#ones[statement] ??= []);
  }
}

/** A statement that rows use. */
interface KnownStatement {
  readonly statement: Statement;
  readonly sql: string;
  /** Whether the current batch declares it. */
  isAnnounced: boolean;
}

/** Encodes rows into the ring's memory. The caller ensures that the ring has room: see `bound`. */
export class RowEncoder {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  readonly #known: KnownStatement[] = [];
  readonly #words = new Map<string, number>();
  readonly #last = new LastLongCells();

  constructor(memory: SharedArrayBuffer) {
    this.#bytes = Buffer.from(memory);
    this.#view = new DataView(memory);
  }

  /**
   * The number of a statement, the same in all batches. A linear search suffices: a run has few statements, the
   * frequent ones first.
   */
  numberOf(statement: Statement): number {
    const known = this.#known;
    for (let number = 0; number < known.length; number++) if (known[number]?.statement === statement) return number;
    return known.push({ statement, sql: statement.source, isAnnounced: false }) - 1;
  }

  /** The most bytes that a row can take, its declaration included. */
  bound(statement: number, cells: readonly Cell[]): number {
    const { sql } = this.#known[statement] as KnownStatement;
    let bytes = 11 + 3 * sql.length + 9 * cells.length;
    for (let column = 0; column < cells.length; column++) {
      const cell = cells[column] as Cell;
      if (typeof cell === "string") bytes += 3 * cell.length;
      else if (typeof cell === "object" && cell !== null) bytes += cell.length;
    }
    return bytes;
  }

  /** Begins a batch: clears the dictionary and the declarations. */
  begin(): void {
    this.#last.clear();
    this.#words.clear();
    for (const known of this.#known) known.isAnnounced = false;
  }

  #announce(number: number, known: KnownStatement, position: number): number {
    known.isAnnounced = true;
    this.#view.setUint16(position, STATEMENT, true);
    this.#view.setUint16(position + 2, number, true);
    const length = this.#bytes.write(known.sql, position + 8, "utf8");
    this.#view.setUint32(position + 4, length, true);
    return position + 8 + length;
  }

  /** @returns the position of the next row */
  mark(mark: SavepointMark, position: number): number {
    this.#view.setUint16(position, marks[mark], true);
    return position + 2;
  }

  wrap(position: number): void {
    this.#view.setUint16(position, WRAP, true);
  }

  /** @returns the position of the next row */
  row(statement: number, cells: readonly Cell[], at: number): number {
    const known = this.#known[statement] as KnownStatement;
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
      else if (typeof cell === "string" && cell.length < LONG_LENGTH) position = this.#shortText(cell, position);
      else {
        const last = this.#last.cellsOf(statement);
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
    const word = length <= WORD_LENGTH_MAX ? this.#words.get(text) : undefined;
    if (word !== undefined) {
      this.#bytes[position] = WORD;
      this.#view.setUint16(position + 1, word, true);
      return position + 3;
    }
    const isNew = length <= WORD_LENGTH_MAX && this.#words.size < WORDS_MAX;
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

/**
 * Whether a cell equals the previous one. Only short bytes are compared: longer ones cost more to compare than to
 * send.
 */
function isSame(last: string | Uint8Array | undefined, cell: string | Uint8Array): boolean {
  if (last === cell) return true;
  if (typeof last !== "object" || typeof cell === "string" || last.length !== cell.length) return false;
  return cell.length < LONG_LENGTH && cell.every((byte, index) => byte === last[index]);
}

/** A buffer for the cells of rows, appended one after the other. */
export interface CellBuffer {
  readonly cells: Cell[];
  /** Number of valid cells; the cells after them are stale. */
  count: number;
}

/** Receives the decoded statements, rows and savepoint marks, in order. */
export interface RowSink {
  statement(number: number, sql: string): void;
  /** The buffer for the cells of a statement's next row. */
  cells(statement: number): CellBuffer;
  /** Called when the row's cells are in the buffer. */
  row(statement: number): void;
  mark(mark: SavepointMark): void;
}

/** Decodes rows from the ring's memory. */
export class RowDecoder {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  readonly #words: string[] = [];
  readonly #last = new LastLongCells();

  constructor(memory: SharedArrayBuffer) {
    this.#bytes = Buffer.from(memory);
    this.#view = new DataView(memory);
  }

  /**
   * Decodes whole batches between two positions, wrapping at the end of the ring if `to` < `from`. Bytes are
   * views into the ring: they are valid until the tail moves.
   */
  read(from: number, to: number, sink: RowSink): void {
    this.#last.clear();
    let position = from;
    while (position !== to) {
      const number = this.#view.getUint16(position, true);
      if (number < STATEMENT_LIMIT) {
        position = this.#row(number, position + 2, sink.cells(number));
        sink.row(number);
      } else if (number === WRAP) position = 0;
      else if (number === STATEMENT) {
        const from = position + 8;
        position = from + this.#view.getUint32(position + 4, true);
        sink.statement(this.#view.getUint16(from - 6, true), this.#bytes.toString("utf8", from, position));
      } else {
        sink.mark(marked.get(number) as SavepointMark);
        position += 2;
      }
    }
  }

  #row(statement: number, start: number, to: CellBuffer): number {
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
          if (cell.length >= LONG_LENGTH) this.#last.cellsOf(statement)[column] = cell;
          position = end;
          break;
        }
        case BYTES: {
          const end = position + 4 + view.getUint32(position, true);
          cell = bytes.subarray(position + 4, end);
          this.#last.cellsOf(statement)[column] = cell;
          position = end;
          break;
        }
        case SAME:
          cell = this.#last.cellsOf(statement)[column] as string | Uint8Array;
          break;
        default:
          cell = null;
      }
      cells[count + column] = cell;
    }
    return position;
  }
}
