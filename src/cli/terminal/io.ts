/** Where a command reads and writes: the process's own streams, or a test's. */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  /** The lines of stdin; absent: there is none. */
  lines?(): AsyncIterable<string>;
  /** Calls `callback` on Ctrl-C. @returns stops listening */
  onInterrupt(callback: () => void): () => void;
  /** Calls `callback` for each pressed key. @returns stops the calls; undefined: there is no keyboard */
  onKey?(callback: (key: string) => void): (() => void) | undefined;
  /** Ends the process at once, after a second Ctrl-C. */
  exit(code: number): never;
}

export interface Output {
  /** Writes a text with control characters escaped, colours too. */
  write(text: string): void;
  /** Writes a text coloured by `paint`; external strings in it are already escaped. Absent: as `write`. */
  painted?(text: string): void;
  /** Writes a document (CSV, HTML…): escaped only on a terminal. */
  document?(text: string): void;
  /** Writes UTF-8 without control characters other than line feeds. Absent: as `write`. */
  bytes?(text: Uint8Array): void;
  /** Resolves when the stream can take more (back-pressure); absent: at once. */
  drained?(): Promise<void> | void;
  readonly isTTY: boolean;
  /** Another program reads it. */
  readonly isPipe?: boolean;
  readonly columns: number;
  /** Colours that the stream supports: 0 none, 1: 16 colours, 2: 256 colours, 3: 16 million. */
  readonly colours: 0 | 1 | 2 | 3;
}

/** Writes UTF-8 in which control characters are escaped already. */
export function writeBytes(output: Output, text: Uint8Array): void {
  if (output.bytes === undefined) output.write(Buffer.from(text).toString());
  else output.bytes(text);
}

/** How a command ended (docs/reports.md#exit-codes). */
export type ExitCode = 0 | 1 | 2 | 3 | 70;
