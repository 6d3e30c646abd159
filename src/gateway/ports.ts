import type { SimTime } from "../sim/index.js";
import type { EventRow, MessageRow } from "./journal.js";

/** An event that has come into being, with the delivery URL of its channel (null: it goes nowhere). */
export interface Emission extends EventRow {
  readonly url: string | null;
  /** False: the account does not forward events of its type, and `url` is null. */
  readonly isForwarded: boolean;
  /** Row of the contact whose text or call it tells of; null where it tells of none. */
  readonly contact: number | null;
}

/** A text to a person that waits for a phone to send it. */
export type QueuedText = Pick<MessageRow, "channel" | "contact" | "origin" | "replyTo" | "text">;

/** One attempt to bring an event of a resthook to a subscriber. */
export interface ResthookDelivery {
  /** Id of the resthook's event. */
  readonly event: number;
  /** Id of the subscriber. */
  readonly subscriber: number;
  /** 1 for the first. */
  readonly try: number;
  /** When it is made. */
  readonly atMs: SimTime;
  readonly url: string;
  /** What is posted, as JSON. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** What the gateway tells those outside it. All calls happen at the kernel's `now`. */
export interface GatewayPorts {
  /** A new event is to be delivered. It is in the journal already. */
  emit(emission: Emission): void;
  /** A text was queued for a phone to send. Absent: nobody asks. */
  queued?(text: QueuedText): void;
  /** A push message asks the phone of this channel to sync. */
  push(channel: number): void;
  /** An event of a resthook is to be posted now; what comes of it goes to `Resthooks.attempted`. Absent: nobody can. */
  resthook?(delivery: ResthookDelivery): void;
}

/** What the service knows beforehand of the person behind a number; undefined for strangers. */
export type Directory = (
  phone: string,
) => { readonly name: string | null; readonly language: string | null } | undefined;
