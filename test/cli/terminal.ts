import { runCommandLine } from "../../src/cli/program.js";

/** What a command printed, and how it ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface TerminalOptions {
  readonly columns?: number;
  /** Both streams are a terminal's, with all colours. */
  readonly isTerminal?: boolean;
  /** What stdin has. */
  readonly stdin?: string;
  /** Gets what presses Ctrl-C. */
  readonly interrupts?: (press: () => void) => void;
}

/** Runs a command line with streams of its own. */
export function handset(argv: readonly string[], options: TerminalOptions = {}): Promise<Ended> {
  return runWith(runCommandLine, argv, options);
}

export async function runWith(
  commandLine: typeof runCommandLine,
  argv: readonly string[],
  options: TerminalOptions,
): Promise<Ended> {
  let stdout = "";
  let stderr = "";
  const base = {
    isTTY: options.isTerminal === true,
    columns: options.columns ?? 80,
    colours: options.isTerminal === true ? (3 as const) : (0 as const),
  };
  const code = await commandLine(argv, {
    stdout: { ...base, write: (text) => (stdout += text) },
    stderr: { ...base, write: (text) => (stderr += text) },
    ...(options.stdin !== undefined && { lines: () => linesOf(options.stdin ?? "") }),
    onInterrupt: (callback) => {
      options.interrupts?.(callback);
      return () => undefined;
    },
    exit: (exitCode) => {
      throw new Error(`exit ${exitCode}`);
    },
  });
  return { code, stdout, stderr };
}

async function* linesOf(text: string): AsyncGenerator<string> {
  yield* text.split("\n");
}
