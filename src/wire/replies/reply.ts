/** A receiver's answer that asks for a message to be sent (reference, "Webhook response"; webhook.md 6.3). */
export interface Reply {
  /** URN strings such as `tel:+12065550142`, each once; a phone number in another dress is brought into E.164. */
  readonly urns: readonly string[];
  /** Contact UUIDs in lower case, each once. */
  readonly contacts: readonly string[];
  /** 1..480 characters (code points). */
  readonly text: string;
  /** Historic: the id of the channel through which it is to go out (webhook.md 6.3). */
  readonly channel?: number;
}

/** What the body of an accepted answer amounts to. */
export type ReplyReading =
  /** Empty, or `{}`: the receiver has nothing to say. */
  | { readonly kind: "none" }
  /** Something that sends nothing; the event stays accepted. `reason` is a stable word, `detail` says it to a person. */
  | { readonly kind: "ignored"; readonly reason: ReplyRefusal; readonly detail: string }
  | { readonly kind: "reply"; readonly reply: Reply };

/** The last three are found by whoever knows the contacts and channels, the others by reading. */
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
  | "contact-gets-nothing";
