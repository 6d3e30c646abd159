import { DiscardingWriter } from "./discarding-writer.js";

/** Rejects every row with the error that ended the recording. Rows written before stay. */
export class FailedWriter extends DiscardingWriter {
  readonly #error: Error;

  /** @param rows - number of rows in the recording */
  constructor(error: Error, rows: number) {
    super(rows);
    this.#error = error;
  }

  override write(): never {
    throw this.#error;
  }
}
