import type { Posting } from "../delivery/index.js";
import type { Emission } from "../gateway/index.js";
import type { Pipeline } from "./pipeline.js";

/** The kind of the input that sends an event again by hand. */
export const RESEND = "resend";

/** An event with the number of its next attempt. */
export type ResentPosting = Posting & { readonly try: number };

/** A `Lab`. */
interface ResendTarget {
  readonly pipeline: Pick<Pipeline<Emission>, "resendByHand">;
  write<T>(input: { readonly kind: string; readonly json: string }, act: () => T): T;
}

/** Contents of the input: the data that a re-execution needs to repeat the attempt. */
interface RecordedResend extends Pick<Posting, "type" | "atMs" | "url" | "body"> {
  /** `3/17`. */
  readonly id: string;
  readonly try: number;
}

/** Sends an event again by hand, as one more attempt, and records it as an input. */
export function resendEvent(lab: ResendTarget, resent: ResentPosting): void {
  const { channel, number, type, atMs, url, body } = resent;
  const recorded: RecordedResend = { id: `${channel}/${number}`, try: resent.try, type, atMs, url, body };
  lab.write({ kind: RESEND, json: JSON.stringify(recorded) }, () => lab.pipeline.resendByHand(resent, resent));
}

/** The attempt of a recorded input of this kind. */
export function resentPosting(json: string): ResentPosting {
  const { id, ...rest } = JSON.parse(json) as RecordedResend;
  const [channel = 0, number = 0] = id.split("/").map(Number);
  return { channel, number, ...rest };
}
