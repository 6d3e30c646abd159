import type { Writer } from "./writer.js";

/** Counts rows without writing them, for runs without a recording. */
export class DiscardingWriter implements Writer {
  rows: number;

  constructor(rows = 0) {
    this.rows = rows;
  }

  write(): void {
    this.rows++;
  }

  flush(): void {
    // no row is pending: a failed recording has flushed all earlier ones
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
    // there is no file
  }
}
