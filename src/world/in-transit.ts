import type { Report } from "../wire/index.js";

/** A report of a text or a call. */
export type InboundReport = Extract<Report, { type: "mo_sms" | "call" }>;

/**
 * A text or a call on its way to the service: at a carrier, or unreported on a phone. Plain JSON, kept in recordings.
 */
export type InTransit =
  | { readonly channel: number; readonly from: string; readonly text: string }
  | { readonly channel: number; readonly report: InboundReport };
