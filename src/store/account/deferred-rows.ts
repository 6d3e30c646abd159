/**
 * Deferred writes of rows that change with each step of a session. In a run without an API nobody reads them
 * meanwhile, so only their last version is written: when the tables read them, or at the end of the run.
 */
export class DeferredRows {
  #isOn = false;
  readonly #writers: (() => void)[] = [];

  /** Whether tables keep such rows in memory instead of writing them. */
  get isOn(): boolean {
    return this.#isOn;
  }

  turnOn(): void {
    this.#isOn = true;
  }

  /** Registers a function that writes a table's kept rows. */
  register(writeKept: () => void): void {
    this.#writers.push(writeKept);
  }

  writeAll(): void {
    for (const writeKept of this.#writers) writeKept();
  }
}
