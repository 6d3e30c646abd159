/** Begins the error code of an attempt that trouble on the way ended; the name of the trouble follows. */
const PREFIX = "delivery:";

/** The error code of an attempt that got no answer because of trouble between the service and the receiver. */
export function troubleCode(trouble: string): string {
  return PREFIX + trouble;
}

/** The trouble behind an error code; undefined: the attempt failed by itself. */
export function troubleOfCode(error: string | null): string | undefined {
  return error?.startsWith(PREFIX) === true ? error.slice(PREFIX.length) : undefined;
}

/** Whether an attempt shows how long the receiver takes: it answered, or did not answer in time. */
export function showsLatency({
  status,
  outcome,
  error,
}: {
  readonly status: number | null;
  readonly outcome: string;
  readonly error: string | null;
}): boolean {
  return status !== null || (outcome === "timeout" && troubleOfCode(error) === undefined);
}

/** The kind of a failure: the status, the trouble's code, `timeout`, or the error's code. */
export function failureKindOf({
  status,
  outcome,
  error,
}: {
  readonly status: number | null;
  readonly outcome: string;
  readonly error: string | null;
}): string {
  if (status !== null) return String(status);
  return outcome === "timeout" && troubleOfCode(error) === undefined ? outcome : (error ?? outcome);
}
