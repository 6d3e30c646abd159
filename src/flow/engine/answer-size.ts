import type { Session } from "../session.js";

/**
 * A response body of this many bytes or more is not saved as the extra of a result, and is dropped when its sprint
 * ends (docs/reference/flows.md#call_webhook).
 */
const extraMax = 10_000;

/** Whether the body of an answer is small enough to be kept as the extra of a result. */
export function isKeptAsExtra(body: string): boolean {
  // A UTF-16 unit takes up to three bytes.
  return body.length * 3 < extraMax || byteLength(body) < extraMax;
}

/** Bytes of a text in UTF-8. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Drops the bodies that are too large to be kept after a sprint. @param session - a copy, which is changed */
export function dropLargeAnswers({ runs }: Session): void {
  for (const run of runs) {
    if (run.webhook?.json === undefined || isKeptAsExtra(run.webhook.json)) continue;
    const { json: _, ...others } = run.webhook;
    run.webhook = others;
  }
}
