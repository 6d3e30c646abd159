/**
 * How an attempt ended. Each attempt has exactly one outcome. `retried` and `failed` were answered with a status that
 * the preset retries (`failed`: it was the last attempt), `timeout` and `connection` got no answer.
 */
export const attemptOutcomes = ["accepted", "retried", "refused", "failed", "timeout", "connection"] as const;
/** One of `attemptOutcomes`. */
export type AttemptOutcome = (typeof attemptOutcomes)[number];
