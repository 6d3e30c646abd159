import { LabError, systemReason, version } from "../base/index.js";
import type { RunOutcome } from "../run/index.js";
import { isRecording } from "../serve/index.js";
import { findFault, StoreError } from "../store/index.js";
import { onOneLine } from "../wire/index.js";
import type { ExitCode, Io } from "./terminal/io.js";

/** A wrong command line; exit code 2. */
export class UsageError extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.name = "UsageError";
    this.hint = hint;
  }
}

/** Store errors about the file that the user named (exit code 2); the others are about the disk (exit code 3). */
const storeUsage: ReadonlySet<StoreError["code"]> = new Set([
  "recording-exists",
  "is-a-folder",
  "no-such-recording",
  "no-such-folder",
  "not-a-recording",
  "unknown-format",
  "newer-recording",
]);

/** The exit code of an error (docs/reports.md#exit-codes). */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof UsageError) return 2;
  if (error instanceof LabError) return error.isUsage ? 2 : 3;
  if (error instanceof StoreError) return storeUsage.has(error.code) ? 2 : 3;
  return 70;
}

/** Prints a command's error to stderr. @returns the exit code */
export function reportFailure(error: unknown, io: Io, argv: readonly string[]): ExitCode {
  const exitCode = exitCodeOf(error);
  if (exitCode === 70) {
    const fault = faultOfInput(argv);
    if (fault !== undefined) return reportFailure(fault, io, argv);
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    io.stderr.write(`handset: this is a defect of handset-lab ${version}, please report it with this text:\n${text}\n`);
    io.stderr.write(`to replay: handset ${withoutTokens(argv).join(" ")}\n`);
  } else if (error instanceof LabError) say(io, withCause(error), error.hint);
  else if (error instanceof UsageError) say(io, error.message, error.hint);
  else if (error instanceof StoreError) say(io, error.message, undefined);
  return exitCode;
}

/** Arguments without the values of token options: a report of a defect is made to be passed on. */
function withoutTokens(argv: readonly string[]): string[] {
  return argv.map((argument, place) =>
    /^--(?:lab-)?token$/.test(argv[place - 1] ?? "") ? "…" : argument.replace(/^(--(?:lab-)?token=).*$/s, "$1…"),
  );
}

/** The fault of a damaged or edited recording on the command line; undefined: none, so the error is our own. */
function faultOfInput(argv: readonly string[]): StoreError | undefined {
  for (const argument of argv) {
    const fault = isRecording(argument) ? findFault(argument) : undefined;
    if (fault?.code === "recording-damaged" || fault?.code === "recording-edited") return fault;
  }
  return undefined;
}

/** Prints why a run ended with 3, or that its receiver died, for a run without a summary. */
export function sayWhyNot({ result, exitCode }: RunOutcome, io: Io): void {
  const hasDied = result.findings?.some(({ kind }) => kind === "death") === true;
  const differs = (result.answers?.differing ?? 0) > 0;
  if (exitCode === 3 || hasDied || differs) say(io, result.problems.join("; "), undefined);
}

function say(io: Io, message: string, hint: string | undefined): void {
  io.stderr.write(`handset: ${inLines(message)}\n`);
  if (hint !== undefined) io.stderr.write(`  ${inLines(hint)}\n`);
}

/** Escapes line ends, as they may be external, except those before the two-space indent of our own lists. */
function inLines(text: string): string {
  return text.split("\n  ").map(onOneLine).join("\n  ");
}

function withCause(error: LabError): string {
  return error.cause instanceof Error && !error.message.includes(error.cause.message)
    ? `${error.message}: ${systemReason(error.cause)}`
    : error.message;
}
