/** Codes of operational errors. */
export type LabErrorCode =
  | "no-receiver"
  | "no-lab"
  | "no-service"
  | "service-refused"
  | "lab-refused"
  | "host-not-allowed"
  | "bad-options"
  | "bad-fake"
  | "bad-account"
  | "crosses-parts"
  | "command-failed"
  | "part-failed"
  | "part-stopped"
  | "part-taken"
  | "parts-missing"
  | "not-started"
  | "port-taken"
  | "database-taken"
  | "recording-differs"
  | "not-resumable"
  | "not-replayable"
  | "not-written"
  | "sender-gone"
  | "no-such-id"
  | "not-read";

/** Codes of errors in the user's options or scenario. */
const usage: ReadonlySet<LabErrorCode> = new Set([
  "host-not-allowed",
  "bad-options",
  "bad-fake",
  "bad-account",
  "crosses-parts",
  "lab-refused",
  "service-refused",
  "not-resumable",
  "not-replayable",
  "no-such-id",
]);

/** An operational error of the lab: invalid options, or a fault of the environment. */
export class LabError extends Error {
  readonly code: LabErrorCode;
  /** The next step for the user. */
  readonly hint: string | undefined;

  constructor(code: LabErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "LabError";
    this.code = code;
    this.hint = options.hint;
  }

  /** Whether the error is in the user's options or scenario (exit 2), not in the environment (exit 3). */
  get isUsage(): boolean {
    return usage.has(this.code);
  }
}
