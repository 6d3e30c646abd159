import { troubleCode } from "../measure/index.js";

/** Errors of requests that never reached the receiver. */
const unsent: ReadonlySet<string | null> = new Set([
  "ECONNREFUSED",
  "withdrawn",
  "sender-closed",
  "host-not-allowed",
  "bad-url",
  troubleCode("requests-lost"),
  troubleCode("refused"),
]);

/** Whether a recorded attempt with this error never reached the receiver. */
export function isUnsent(error: string | null): boolean {
  return unsent.has(error);
}
