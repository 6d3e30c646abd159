import type { Writer } from "./writer.js";

/** Counts rows and writes none: for runs without a recording. */
export class DiscardingWriter implements Writer {
  rows = 0;

  write(): void {
    this.rows++;
  }

  flush(): void {
    // no row is pending
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
