import type { runCommandLine } from "../../src/cli/program.js";
import type { Ended } from "./terminal.js";
import { runWith, type TerminalOptions } from "./terminal.js";

/** As `handset`, by the built command: for what finds its own files beside it, such as the processes that it starts. */
export async function builtHandset(argv: readonly string[], options: TerminalOptions = {}): Promise<Ended> {
  const url = new URL("../../dist/cli/program.js", import.meta.url).href;
  const built = (await import(/* @vite-ignore */ url)) as { runCommandLine: typeof runCommandLine };
  return runWith(built.runCommandLine, argv, options);
}
