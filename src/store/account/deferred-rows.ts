/**
 * Rows that change with each step of a session. While a run plays without an API nobody reads them, so only their last
 * version is written: when the tables are asked for them, and at the end of the run.
 */
export class DeferredRows {
  #isOn = false;
  readonly #writers: (() => void)[] = [];

  /** Whether tables keep such rows in memory. */
  get isOn(): boolean {
    return this.#isOn;
  }

  turnOn(): void {
    this.#isOn = true;
  }

  /** Registers a function that writes the rows that a table has kept. */
  register(writeKept: () => void): void {
    this.#writers.push(writeKept);
  }

  writeAll(): void {
    for (const writeKept of this.#writers) writeKept();
  }
}
