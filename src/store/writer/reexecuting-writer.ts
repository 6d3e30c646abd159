import type { Statement } from "../sqlite/connection.js";
import type { Cell, Writer } from "./writer.js";

/** The rows that the recording holds when re-execution begins. */
export interface RecordedRows {
  /** Number of rows in the recording: this many writes are compared and not executed. */
  readonly count: number;
  /** Compares a row with the one that the recording holds in its place. @throws StoreError `not-the-same` */
  readonly compare: (statement: Statement, cells: readonly Cell[]) => void;
}

/**
 * The writer of a resumed run (deterministic replay). The run writes its rows again from the first one: rows that the
 * recording already holds are compared and dropped, later ones go to the next writer.
 */
export class ReexecutingWriter implements Writer {
  /** Writes the rows that are not in the recording yet. */
  next: Writer;
  readonly #compare: RecordedRows["compare"];
  #left: number;
  #isLastRowRecorded = false;

  constructor(next: Writer, { count, compare }: RecordedRows) {
    this.next = next;
    this.#left = count;
    this.#compare = compare;
  }

  /** Whether the recording already holds the next row. */
  get isReexecuting(): boolean {
    return this.#left > 0;
  }

  /** Whether the recording already held the latest row. */
  get isLastRowRecorded(): boolean {
    return this.#isLastRowRecorded;
  }

  get rows(): number {
    return this.next.rows;
  }

  write(statement: Statement, cells: readonly Cell[]): void {
    this.#isLastRowRecorded = this.#left > 0;
    if (this.#left === 0) return this.next.write(statement, cells);
    this.#compare(statement, cells);
    this.#left--;
  }

  flush(): void {
    this.next.flush();
  }

  whenFlushed(then: () => void): void {
    this.next.whenFlushed(then);
  }

  atomically<T>(act: () => T): T {
    return this.next.atomically(act);
  }

  commitOnFlush(): void {
    this.next.commitOnFlush();
  }

  close(): void {
    this.next.close();
  }
}
