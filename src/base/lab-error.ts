/** What can go wrong around a run: each code has its cure in `hint`. */
export type LabErrorCode =
  | "no-receiver"
  | "no-lab"
  | "lab-refused"
  | "host-not-allowed"
  | "bad-options"
  | "bad-fake"
  | "bad-account"
  | "crosses-parts"
  | "command-failed"
  | "part-failed"
  | "port-taken"
  | "database-taken"
  | "recording-differs"
  | "not-resumable"
  | "not-written"
  | "sender-gone"
  | "no-such-id"
  | "not-read";

/** Those for which the user's words are to blame. */
const usage: ReadonlySet<LabErrorCode> = new Set([
  "host-not-allowed",
  "bad-options",
  "bad-fake",
  "bad-account",
  "crosses-parts",
  "lab-refused",
  "not-resumable",
  "no-such-id",
]);

/** An operational error of the lab: wrong options, or an environment that does not play along. */
export class LabError extends Error {
  readonly code: LabErrorCode;
  /** What to do about it. */
  readonly hint: string | undefined;

  constructor(code: LabErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "LabError";
    this.code = code;
    this.hint = options.hint;
  }

  /** Whether the user's words are to blame (exit 2), rather than the environment (exit 3). */
  get isUsage(): boolean {
    return usage.has(this.code);
  }
}
