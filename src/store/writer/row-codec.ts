import type { Cell } from "./writer.js";

/**
 * Rows as bytes. A row is the number of its statement, how many cells it has, and the cells, each with a tag. Two things
 * save most of the work, for a recording says the same again and again: short words are sent once and have numbers from
 * then on, and a long text that a column had before is not sent at all.
 */

const NULL = 0;
const INT32 = 1;
const DOUBLE = 2;
/** A length of one byte, ASCII. */
const SHORT = 3;
/** A length of four bytes, UTF-8. */
const TEXT = 4;
/** A length of four bytes. */
const BYTES = 5;
/** The number of a word. */
const WORD = 6;
/** A word that gets the next number: a length of one byte, ASCII. */
const NEW_WORD = 7;
/** The text that this column had in its statement's last row that had a long one. */
const SAME = 8;

/** In place of a statement's number: the text of a new statement follows, which gets the next number. */
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

/** Words are at most so long, and there are at most so many. */
const WORD_LENGTH = 12;
const WORDS = 1024;
/** From this length on it is worth comparing a text with the last one. */
const LONG = 32;

/** Writes rows into a ring's bytes. Whoever calls has seen to it that there is room: see `bound`. */
export class RowEncoder {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  readonly #words = new Map<string, number>();
  readonly #lastTexts: (string | undefined)[][] = [];

  constructor(memory: SharedArrayBuffer) {
    this.#bytes = Buffer.from(memory);
    this.#view = new DataView(memory);
  }

  /** The most bytes that a row can take. */
  static bound(cells: readonly Cell[]): number {
    let bytes = 4;
    for (const cell of cells) {
      if (typeof cell === "string") bytes += 5 + 3 * cell.length;
      else if (cell instanceof Uint8Array) bytes += 5 + cell.length;
      else bytes += 9;
    }
    return bytes;
  }

  /** @returns where the next row goes */
  statement(sql: string, position: number): number {
    this.#lastTexts.push([]);
    this.#view.setUint16(position, STATEMENT, true);
    return this.#text(sql, position + 2);
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
  row(statement: number, cells: readonly Cell[], start: number): number {
    const view = this.#view;
    let position = start;
    view.setUint16(position, statement, true);
    view.setUint8(position + 2, cells.length);
    position += 3;
    const last = this.#lastTexts[statement] as (string | undefined)[];
    for (let column = 0; column < cells.length; column++) {
      const cell = cells[column] as Cell;
      if (typeof cell === "number") position = this.#number(cell, position);
      else if (typeof cell === "string") {
        if (cell.length >= LONG) {
          if (last[column] === cell) this.#bytes[position++] = SAME;
          else {
            last[column] = cell;
            position = this.#text(cell, this.#tag(TEXT, position));
          }
        } else position = this.#shortText(cell, position);
      } else if (cell === null) this.#bytes[position++] = NULL;
      else {
        position = this.#tag(BYTES, position);
        view.setUint32(position, cell.length, true);
        this.#bytes.set(cell, position + 4);
        position += 4 + cell.length;
      }
    }
    return position;
  }

  #tag(tag: number, position: number): number {
    this.#bytes[position] = tag;
    return position + 1;
  }

  #number(value: number, position: number): number {
    const isSmall = (value | 0) === value && !Object.is(value, -0);
    this.#bytes[position] = isSmall ? INT32 : DOUBLE;
    if (isSmall) this.#view.setInt32(position + 1, value, true);
    else this.#view.setFloat64(position + 1, value, true);
    return position + (isSmall ? 5 : 9);
  }

  #text(text: string, position: number): number {
    const length = this.#bytes.write(text, position + 4, "utf8");
    this.#view.setUint32(position, length, true);
    return position + 4 + length;
  }

  #shortText(text: string, start: number): number {
    const bytes = this.#bytes;
    const { length } = text;
    if (length <= WORD_LENGTH) {
      const word = this.#words.get(text);
      if (word !== undefined) {
        bytes[start] = WORD;
        this.#view.setUint16(start + 1, word, true);
        return start + 3;
      }
    }
    const position = start + 2;
    for (let index = 0; index < length; index++) {
      const unit = text.charCodeAt(index);
      if (unit > 0x7f) return this.#text(text, this.#tag(TEXT, start));
      bytes[position + index] = unit;
    }
    const isNew = length <= WORD_LENGTH && this.#words.size < WORDS;
    if (isNew) this.#words.set(text, this.#words.size);
    bytes[start] = isNew ? NEW_WORD : SHORT;
    bytes[start + 1] = length;
    return position + length;
  }
}

/** What the writer is told, in order. */
export interface RowSink {
  statement(sql: string): void;
  row(statement: number, cells: readonly Cell[]): void;
  mark(mark: Mark): void;
}

/** Reads rows back. */
export class RowDecoder {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  readonly #words: string[] = [];
  readonly #lastTexts: (string | undefined)[][] = [];

  constructor(memory: SharedArrayBuffer) {
    this.#bytes = Buffer.from(memory);
    this.#view = new DataView(memory);
  }

  /** Reads all from a place up to another one, around the end of the ring where that lies before it. */
  read(from: number, to: number, sink: RowSink): void {
    let position = from;
    while (position !== to) {
      const number = this.#view.getUint16(position, true);
      const mark = marked.get(number);
      if (number === WRAP) position = 0;
      else if (mark !== undefined) {
        sink.mark(mark);
        position += 2;
      } else if (number === STATEMENT) {
        const length = this.#view.getUint32(position + 2, true);
        position += 6;
        this.#lastTexts.push([]);
        sink.statement(this.#bytes.toString("utf8", position, position + length));
        position += length;
      } else position = this.#row(number, position + 2, sink);
    }
  }

  #row(statement: number, start: number, sink: RowSink): number {
    const bytes = this.#bytes;
    const view = this.#view;
    const count = bytes[start] as number;
    const last = this.#lastTexts[statement] as (string | undefined)[];
    const cells: Cell[] = [];
    let position = start + 1;
    for (let column = 0; column < count; column++) {
      const tag = bytes[position++];
      switch (tag) {
        case INT32:
          cells[column] = view.getInt32(position, true);
          position += 4;
          break;
        case DOUBLE:
          cells[column] = view.getFloat64(position, true);
          position += 8;
          break;
        case WORD:
          cells[column] = this.#words[view.getUint16(position, true)] as string;
          position += 2;
          break;
        case SHORT:
        case NEW_WORD: {
          const length = bytes[position++] as number;
          const text = bytes.toString("latin1", position, position + length);
          if (tag === NEW_WORD) this.#words.push(text);
          cells[column] = text;
          position += length;
          break;
        }
        case TEXT: {
          const length = view.getUint32(position, true);
          position += 4;
          const text = bytes.toString("utf8", position, position + length);
          if (text.length >= LONG) last[column] = text;
          cells[column] = text;
          position += length;
          break;
        }
        case SAME:
          cells[column] = last[column] as string;
          break;
        case BYTES: {
          const length = view.getUint32(position, true);
          position += 4;
          cells[column] = Buffer.from(bytes.subarray(position, position + length));
          position += length;
          break;
        }
        default:
          cells[column] = null;
      }
    }
    sink.row(statement, cells);
    return position;
  }
}
