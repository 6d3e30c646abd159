import type { CallEventType } from "../wire/index.js";
import type { Contact } from "./contacts.js";
import type { MessageRow } from "./journal.js";

/** The properties of a stored text that a flow reads. */
export type HandledText = Pick<MessageRow, "row" | "id" | "text" | "phone" | "channel">;

/** A flow that handles an incoming text. */
export interface TextHandling {
  /** Id of the flow. */
  readonly flow: number;
  /** Starts or continues the flow. Called once, after the text was stored and its event was emitted. */
  handle(message: HandledText): void;
}

/**
 * The flows' handling of contacts' texts and calls (docs/reference/flows.md#incoming-messages). The account implements
 * it.
 */
export interface FlowHandler {
  /** @returns undefined when no flow handles the text, which then stays in the inbox */
  flowForText(contact: Contact, text: { readonly channel: number; readonly text: string }): TextHandling | undefined;
  /** Handles a call of the contact that was logged. */
  handleCall(contact: Contact, call: { readonly channel: number; readonly type: CallEventType }): void;
}
