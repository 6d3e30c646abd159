import type { Attempt } from "../delivery/index.js";

/** One entry of the live log. */
export type Happening =
  | {
      readonly kind: "event";
      readonly channel: number;
      readonly number: number;
      readonly atMs: number;
      readonly type: string;
      readonly body: string;
    }
  | {
      readonly kind: "attempt";
      readonly channel: number;
      readonly number: number;
      readonly atMs: number;
      readonly try: number;
      readonly status: number | null;
      readonly error: string | null;
      readonly outcome: string;
      readonly durationMs: number;
    }
  | {
      readonly kind: "note";
      readonly channel: number;
      readonly atMs: number;
      readonly word: string;
      readonly text: string;
    }
  | { readonly kind: "call"; readonly atMs: number; readonly method: string; readonly path: string }
  /** A change by the control API. */
  | { readonly kind: "hand"; readonly atMs: number; readonly text: string };

/** The entry of an attempt that has ended. */
export function happeningOf(attempt: Attempt): Happening {
  const { posting } = attempt;
  return {
    kind: "attempt",
    channel: posting.channel,
    number: posting.number,
    atMs: attempt.effectAtMs,
    try: attempt.try,
    status: attempt.status,
    error: attempt.error,
    outcome: attempt.outcome,
    durationMs: attempt.durationMs,
  };
}
