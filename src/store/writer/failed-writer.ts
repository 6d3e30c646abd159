import type { Writer } from "./writer.js";

/** Refuses every row with the error that ended the recording. What was written before stays. */
export class FailedWriter implements Writer {
  readonly rows: number;
  readonly #error: Error;

  /** @param rows - number of rows in the recording */
  constructor(error: Error, rows: number) {
    this.#error = error;
    this.rows = rows;
  }

  write(): never {
    throw this.#error;
  }

  flush(): void {
    // every earlier row was flushed before the failure
  }

  whenFlushed(then: () => void): void {
    then();
  }

  atomically<T>(act: () => T): T {
    return act();
  }

  commitOnFlush(): void {
    // there are no commits
  }

  close(): void {
    // the recording closes the writer that this one replaced
  }
}
