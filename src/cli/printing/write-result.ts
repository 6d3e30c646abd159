import { type NextCommand, renderResult, renderSummary, type RunResult } from "../../report/index.js";
import type { Io } from "../terminal/io.js";
import { writePainted } from "../terminal/paint.js";

/**
 * Writes the result of a run: JSON to stdout with `json`, and the summary unless `quiet`. With `json` the summary goes to
 * stderr, so stdout holds JSON only.
 */
export function writeResult(
  result: RunResult,
  flags: { readonly json?: boolean; readonly quiet?: boolean },
  io: Io,
  summary: { readonly report?: string; readonly next?: readonly NextCommand[] } = {},
): void {
  if (flags.json === true) io.stdout.write(renderResult(result));
  if (flags.quiet === true) return;
  const output = flags.json === true ? io.stderr : io.stdout;
  writePainted(output, renderSummary(result, { colour: output.colours > 0, width: output.columns, ...summary }));
}
