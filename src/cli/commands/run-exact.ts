import { exactJson, renderExact } from "../../exact/index.js";
import { playExact } from "../../run/index.js";
import { formatDiagnostics, parseExact } from "../../scenario/index.js";
import { UsageError } from "../failures.js";
import { defined } from "../options/defined.js";
import type { ExitCode, Io } from "../terminal/io.js";
import { writePainted } from "../terminal/paint.js";
import { RunTerminal } from "../terminal/run-terminal.js";

/** The options of `handset run` that apply to a bug file of exact requests. */
export interface ExactFlags {
  readonly receiver?: string;
  readonly allowHost: readonly string[];
  readonly wait?: number;
  readonly json?: true;
  readonly quiet?: true;
}

/** Their names. */
export const exactOptions: ReadonlySet<string> = new Set(["receiver", "allowHost", "wait", "json", "quiet"]);

/**
 * `handset run` for a bug file of exact requests.
 *
 * @param others - the other options that were given
 * @throws UsageError for options that do not apply to it
 */
export async function runExact(
  { file, text, command }: { readonly file: string; readonly text: string; readonly command: readonly string[] },
  flags: ExactFlags,
  others: readonly string[],
  io: Io,
): Promise<ExitCode> {
  const [other] = others;
  if (other !== undefined) {
    throw new UsageError(
      `${other} does not apply to a bug file of exact requests`,
      other === "--console"
        ? "start `handset serve -r URL` and drop the file on its console, which shows and plays it"
        : "a bug file takes -r, --allow-host, --wait, --json, --quiet and a command after --",
    );
  }
  const { input, diagnostics } = parseExact(text, file);
  if (diagnostics.length > 0) io.stderr.write(formatDiagnostics(diagnostics, text));
  if (input === undefined) return 2;
  const terminal = await RunTerminal.open(io, { isQuiet: true });
  try {
    const outcome = await playExact(input, {
      command,
      signal: terminal.signal,
      allowHosts: flags.allowHost,
      ...defined({ receiver: flags.receiver, waitMs: flags.wait }),
    });
    if (flags.json === true) io.stdout.write(`${JSON.stringify(exactJson(input, outcome))}\n`);
    else if (flags.quiet !== true) {
      writePainted(io.stdout, renderExact(input, outcome, { colour: io.stdout.colours > 0, width: io.stdout.columns }));
    }
    return outcome.exitCode;
  } finally {
    terminal.close();
  }
}
