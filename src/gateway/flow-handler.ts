import type { CallEventType } from "../wire/index.js";
import type { Contact } from "./contacts.js";
import type { MessageRow } from "./journal.js";

/** What a flow reads of a stored text. */
export type HandledText = Pick<MessageRow, "row" | "id" | "text" | "phone" | "channel">;

/** A flow that handles an incoming text. */
export interface TextHandling {
  /** Id of the flow. */
  readonly flow: number;
  /** Starts or continues the flow. Called once, after the text was stored and its event was emitted. */
  handle(message: HandledText): void;
}

/**
 * What flows do with the texts and calls of contacts (docs/reference/flows.md#incoming-messages). The account
 * implements it.
 */
export interface FlowHandler {
  /** @returns undefined: no flow handles the text, and it stays in the inbox */
  flowForText(contact: Contact, text: { readonly channel: number; readonly text: string }): TextHandling | undefined;
  /** A call of the contact was logged. */
  handleCall(contact: Contact, call: { readonly channel: number; readonly type: CallEventType }): void;
}
