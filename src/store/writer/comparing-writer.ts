import type { Statement } from "../sqlite/connection.js";
import type { Cell, Writer } from "./writer.js";

/**
 * Writer of a recorded run that is played again into another recording. It passes each row to a comparison before it
 * writes the row.
 */
export class ComparingWriter implements Writer {
  readonly #next: Writer;
  readonly #compare: (statement: Statement, cells: readonly Cell[]) => void;

  constructor(next: Writer, compare: (statement: Statement, cells: readonly Cell[]) => void) {
    this.#next = next;
    this.#compare = compare;
  }

  get rows(): number {
    return this.#next.rows;
  }

  write(statement: Statement, cells: readonly Cell[]): void {
    this.#compare(statement, cells);
    this.#next.write(statement, cells);
  }

  flush(): void {
    this.#next.flush();
  }

  whenFlushed(then: () => void): void {
    this.#next.whenFlushed(then);
  }

  atomically<T>(act: () => T): T {
    return this.#next.atomically(act);
  }

  commitOnFlush(): void {
    this.#next.commitOnFlush();
  }

  close(): void {
    this.#next.close();
  }
}
