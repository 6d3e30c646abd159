import type { EventRow, MessageRow } from "./journal.js";

/** A new event, with the delivery URL of its channel (null: it is not delivered). */
export interface Emission extends EventRow {
  readonly url: string | null;
  /** False when the account does not forward events of its type; then `url` is null. */
  readonly isForwarded: boolean;
  /** Row of the contact whose text or call it reports; null when it reports neither. */
  readonly contact: number | null;
}

/** A text to a person that waits for a phone to send it. */
export type QueuedText = Pick<MessageRow, "id" | "channel" | "contact" | "origin" | "replyTo" | "text">;

/** Callbacks of the gateway, called at the kernel's `now`. */
export interface GatewayPorts {
  /** Delivers a new event, which is in the journal already. */
  emit(emission: Emission): void;
  /** Called after a text was queued for a phone to send. */
  queued?(text: QueuedText): void;
  /**
   * Called when the service has failed a queued message of this channel.
   *
   * @returns whether the phone has it, or had it: the ledger then counts it there, and not as lost at the service
   */
  disown?(channel: number, message: number): boolean;
  /** Sends a push message: asks the phone of this channel to sync. */
  push(channel: number): void;
}
