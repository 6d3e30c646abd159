import type { MessageStatus } from "./journal.js";

/** An outgoing message. */
export interface Message {
  readonly row: number;
  readonly id: number;
  readonly phone: string;
  readonly text: string;
  status: MessageStatus;
  /** The phone was told of it: it cannot be taken back. */
  isOffered: boolean;
  /** Numbers of the first events that reported it as sent and as delivered; 0: none yet. */
  sentEvent: number;
  deliveredEvent: number;
}
