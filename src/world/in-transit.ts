import type { Report } from "../wire/index.js";

/** A report of a text or a call. */
export type InboundReport = Extract<Report, { type: "mo_sms" | "call" }>;

/**
 * A text or a call on its way to the service: in the air, or in a phone that has not told it yet. Plain JSON, so that it
 * can be written down and brought back into a world that begins anew.
 */
export type InTransit =
  | { readonly channel: number; readonly from: string; readonly text: string }
  | { readonly channel: number; readonly report: InboundReport };
