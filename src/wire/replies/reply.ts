/** A receiver's answer that asks for a message to be sent (docs/reference/webhook.md#json-replies). */
export interface Reply {
  /** URN strings such as `tel:+12065550142`, without duplicates; phone numbers are in E.164. */
  readonly urns: readonly string[];
  /** Contact UUIDs in lower case, without duplicates. */
  readonly contacts: readonly string[];
  /** 1..480 characters (code points). */
  readonly text: string;
  /** Historic: id of the channel that sends the message (docs/reference/webhook.md#json-replies). */
  readonly channel?: number;
}

/** The result of reading the body of an accepted answer. */
export type ReplyReading =
  /** Empty, or `{}`: the receiver has nothing to say. */
  | { readonly kind: "none" }
  /**
   * Not a reply, so nothing is sent; the event stays accepted. `reason` is a stable code, `detail` a text for people.
   */
  | { readonly kind: "ignored"; readonly reason: ReplyRefusal; readonly detail: string }
  | { readonly kind: "reply"; readonly reply: Reply };

/**
 * Why a reply is ignored. `readReply` finds all but the last four, which the gateway finds in contacts and channels.
 */
export type ReplyRefusal =
  | "not-json"
  | "not-an-object"
  | "no-text"
  | "text-too-long"
  | "bad-text"
  | "bad-urn"
  | "bad-contact"
  | "urn-and-phone"
  | "no-recipient"
  | "body-too-long"
  | "unknown-contact"
  | "unknown-channel"
  | "released-channel"
  | "contact-gets-nothing";
