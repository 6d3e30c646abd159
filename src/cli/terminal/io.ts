/** Where a command reads and writes: the process's own streams, or a test's. */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  /** Calls back on Ctrl-C; returns how to stop listening. */
  onInterrupt(callback: () => void): () => void;
  /** Calls back for each key that is pressed; returns how to stop, undefined where nobody can press keys. */
  onKey?(callback: (key: string) => void): (() => void) | undefined;
  /** Ends the process at once, for somebody who presses Ctrl-C twice. */
  exit(code: number): never;
}

export interface Output {
  /** Writes a text. What a terminal would act on is escaped, colours too. */
  write(text: string): void;
  /** Writes a text that `paint` has coloured, in which what comes from outside is escaped already. Absent: as `write`. */
  painted?(text: string): void;
  /** Writes a document (CSV, HTML…): as it is where no terminal reads it. */
  document?(text: string): void;
  /** Resolves when whoever reads has taken what was written; absent: at once. */
  drained?(): Promise<void> | void;
  readonly isTTY: boolean;
  readonly columns: number;
  /** Colours that the stream understands: 0 none, 1 sixteen, 2 256, 3 all. */
  readonly colours: 0 | 1 | 2 | 3;
}

/** How a command ended (docs/reports.md#exit-codes). */
export type ExitCode = 0 | 1 | 2 | 3 | 70;
