import type { NamedReference } from "./named-reference.js";
import type { RunSummary } from "./run-summary.js";

/** A message from the contact. */
export interface IncomingMessage {
  /** Default: the host makes one. */
  readonly uuid?: string;
  readonly text: string;
  /** As `type/subtype:url`. */
  readonly attachments?: readonly string[];
  readonly urn?: string;
  readonly channel?: NamedReference;
  readonly externalId?: string;
  /** Id of the message in the account. */
  readonly id?: number;
}

/** What starts a session. */
export interface Trigger {
  readonly type: "manual" | "msg" | "campaign" | "channel" | "flow_action" | "optin" | "ticket" | "schedule";
  readonly flow: NamedReference;
  /** Milliseconds since 1970. */
  readonly triggeredAtMs: number;
  /** The message that started the session; it becomes the input. */
  readonly msg?: IncomingMessage;
  /** The keyword that the message matched. */
  readonly keyword?: { readonly type: "first_word" | "only_word"; readonly keyword: string };
  /** Plain JSON: `@trigger.params`. */
  readonly params?: unknown;
  /** Plain JSON, the embedded data of a flow start or a campaign event: `@embed`. Undefined or null: no such root. */
  readonly embed?: unknown;
  /** The run that started this session: `@parent`. */
  readonly runSummary?: RunSummary;
  /** Started as one of many; such runs start no groups. */
  readonly isBatch?: boolean;
  /** Sessions that led to this one, and how many of them since the last input. */
  readonly history?: SessionHistory;
  readonly campaign?: NamedReference;
  /** Name or address of the user who started it. */
  readonly user?: string;
  readonly origin?: string;
}

/** The sessions that led to one by start_session. */
export interface SessionHistory {
  readonly parentUuid: string;
  readonly ancestors: number;
  readonly ancestorsSinceInput: number;
}

/** What continues a waiting session. */
export type Resume =
  | { readonly type: "msg"; readonly resumedAtMs: number; readonly msg: IncomingMessage }
  | { readonly type: "wait_timeout"; readonly resumedAtMs: number }
  | { readonly type: "wait_expiration"; readonly resumedAtMs: number }
  | {
      readonly type: "dial";
      readonly resumedAtMs: number;
      readonly dial: DialOutcome;
    };

/** How a forwarded call went. */
export interface DialOutcome {
  readonly status: "answered" | "no_answer" | "busy" | "failed";
  /** Seconds. */
  readonly duration: number;
}
