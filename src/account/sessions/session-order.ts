import type { Trigger } from "../../flow/index.js";
import type { HandledText } from "../../gateway/index.js";

/** The cause of a session, besides flow and instant. */
export type SessionCause = Omit<Trigger, "flow" | "triggeredAtMs" | "msg">;

/** How a session is started. */
export interface SessionOrder {
  readonly cause: SessionCause;
  /** The text that started it; it becomes the input. */
  readonly message?: HandledText;
  /** Id of the channel through which the contact wrote or called. */
  readonly channel?: number;
  /** Id of the flow start. */
  readonly start?: number;
  readonly embeddedData?: unknown;
  /** Whether it ends the contact's current session; default: true, except for background flows. */
  readonly interrupts?: boolean;
}
