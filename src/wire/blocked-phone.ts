import type { DelayReason } from "./sync/report-origin.js";

/** A phone that cannot relay, and the number of texts and calls that wait on it or at the service for it. */
export interface BlockedPhone {
  /** Selector of the handset: `clinic/3`. */
  readonly of: string;
  readonly why: DelayReason;
  readonly waiting: number;
}
