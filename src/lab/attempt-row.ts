import type { Attempt } from "../delivery/index.js";
import type { AttemptRow } from "../store/index.js";

/**
 * An attempt as it is recorded. Field by field: of some ten thousand a second, taking objects apart and together again would
 * cost more than writing them down.
 *
 * @param step - the turn at which it takes effect
 */
export function attemptRow(attempt: Attempt, step: number): AttemptRow {
  return {
    channel: attempt.posting.channel,
    number: attempt.posting.number,
    try: attempt.try,
    dueAtMs: attempt.dueAtMs,
    effectAtMs: attempt.effectAtMs,
    sentWallMs: attempt.sentWallMs,
    durationMs: attempt.durationMs,
    latencyMs: attempt.latencyMs,
    status: attempt.status,
    error: attempt.error,
    outcome: attempt.outcome,
    headers: attempt.headers,
    body: attempt.body,
    bodyBytes: attempt.bodyBytes,
    redirects: attempt.redirects,
    latenessMs: attempt.latenessMs,
    isRepeat: attempt.isRepeat,
    step,
  };
}
