/** The open resources of an operation, closed in reverse order of opening. */
export class Closers {
  readonly #closers: (() => Promise<void> | void)[] = [];

  /** @param close - releases the resource; called once */
  push(close: () => Promise<void> | void): void {
    this.#closers.push(close);
  }

  /**
   * Closes everything, the newest first; a second call finds nothing to close.
   *
   * @throws the first error of a closer, after all have been called
   */
  async close(): Promise<void> {
    const errors: unknown[] = [];
    for (let close = this.#closers.pop(); close !== undefined; close = this.#closers.pop()) {
      try {
        await close();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
