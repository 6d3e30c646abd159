import type { SimTime } from "../../sim/index.js";
import type { CopyCause, Delay } from "../../wire/index.js";

/**
 * The state of a message (docs/reference/handset.md#message-states). The phone keeps only the id of an acknowledged
 * message, in the `MessageHistory`.
 */
export type RowState = "born" | "pending" | "retry" | "sent" | "delivered" | "failed";

/** A message that the phone has accepted and whose end the service has not acknowledged. */
export interface OutboxRow {
  readonly id: number;
  readonly to: string;
  /** Empty once it is on air. */
  text: string;
  readonly segments: number;
  state: RowState;
  /** Failed tries. */
  tries: number;
  changedAtMs: SimTime;
  /** True while the text is not on air, failed or lost: the ledger counts it as queued on the phone. */
  isOpen: boolean;
  /** True from the hand-over to the radio's answer. */
  isAtRadio: boolean;
  /** Fault failed-resend: an old row with the same id stays listed under retry. */
  hasGhost: boolean;
  /** Fault early-sent: the phone has reported it as sent before the radio answered. */
  isReportedEarly: boolean;
  /** True when the phone sends it again after it failed or was forgotten, so the service may not count it as queued. */
  isResent: boolean;
  readonly acceptedAtMs: SimTime;
  /** Delays on this phone; the report of the message's outcome will carry them. */
  delays: Delay[] | undefined;
}

/** Changes the state of a message. */
export function setState(row: OutboxRow, state: RowState, nowMs: SimTime): void {
  row.state = state;
  row.changedAtMs = nowMs;
}

/** Why a report about this message may repeat an earlier one. */
export function causeOfCopy({ isResent, isReportedEarly: isToldEarly }: OutboxRow): CopyCause | undefined {
  if (isResent) return "sent-again";
  return isToldEarly ? "early-sent" : undefined;
}
