import { runCommandLine } from "../../src/cli/program.js";

/** What a command printed, and how it ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line with streams of its own. `interrupts` gets what presses Ctrl-C. */
export async function handset(
  argv: readonly string[],
  options: { columns?: number; interrupts?: (press: () => void) => void } = {},
): Promise<Ended> {
  let stdout = "";
  let stderr = "";
  const base = { isTTY: false, columns: options.columns ?? 80, colours: 0 as const };
  const code = await runCommandLine(argv, {
    stdout: { ...base, write: (text) => (stdout += text) },
    stderr: { ...base, write: (text) => (stderr += text) },
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
