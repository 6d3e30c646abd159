import type { Writer } from "./writer.js";

/** Writes nothing: for runs of which only the result is wanted. */
export class DiscardingWriter implements Writer {
  rows = 0;

  write(): void {
    this.rows++;
  }

  flush(): void {
    // there is nothing to bring to a disk
  }

  whenFlushed(then: () => void): void {
    then();
  }

  atomically<T>(act: () => T): T {
    return act();
  }

  commitOnFlush(): void {
    // nothing is committed
  }

  close(): void {
    // there is no file
  }
}
