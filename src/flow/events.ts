import type { WaitHint } from "./definition.js";
import type { NamedReference } from "./named-reference.js";
import type { RunSummary } from "./run-summary.js";
import type { SessionHistory } from "./trigger.js";

/** A message that a run sends. */
export interface OutgoingMessage {
  readonly uuid: string;
  readonly text: string;
  readonly attachments?: readonly string[];
  readonly quick_replies?: readonly string[];
  /** Address without its channel; missing when no channel can send to the contact. */
  readonly urn?: string;
  readonly channel?: NamedReference;
  readonly topic?: string;
  readonly unsendable_reason?: "no_destination" | "contact_status";
}

/** Text of a message in one language. */
export interface MessageContent {
  readonly text: string;
  readonly attachments?: readonly string[];
  readonly quick_replies?: readonly string[];
}

/** Whom start_session and send_broadcast address. */
interface EventRecipients {
  readonly groups?: readonly NamedReference[];
  readonly contacts?: readonly NamedReference[];
  readonly urns?: readonly string[];
  readonly contact_query?: string;
}

/** The body of an event, by type. */
export type SprintEventBody =
  | {
      readonly type: "msg_received";
      readonly msg: {
        readonly uuid: string;
        readonly text: string;
        readonly attachments?: readonly string[];
        readonly urn?: string;
        readonly channel?: NamedReference;
        readonly external_id?: string;
      };
    }
  | { readonly type: "msg_created"; readonly msg: OutgoingMessage }
  | { readonly type: "ivr_created"; readonly msg: OutgoingMessage }
  | {
      readonly type: "msg_wait";
      readonly timeout_seconds?: number;
      readonly hint?: WaitHint;
      readonly expires_on: string;
    }
  | {
      readonly type: "dial_wait";
      readonly urn: string;
      readonly dial_limit_seconds: number;
      readonly call_limit_seconds: number;
      readonly expires_on: string;
    }
  | { readonly type: "dial_ended"; readonly dial: { readonly status: string; readonly duration: number } }
  | {
      readonly type: "flow_entered";
      readonly flow: NamedReference;
      readonly parent_run_uuid: string;
      readonly terminal: boolean;
    }
  | { readonly type: "run_expired"; readonly run_uuid: string }
  | { readonly type: "wait_timed_out" }
  | {
      readonly type: "run_result_changed";
      readonly name: string;
      readonly value: string;
      readonly category?: string;
      readonly category_localized?: string;
      readonly input?: string;
      readonly extra?: unknown;
    }
  | { readonly type: "contact_name_changed"; readonly name: string }
  | { readonly type: "contact_language_changed"; readonly language: string }
  | { readonly type: "contact_timezone_changed"; readonly timezone: string }
  | { readonly type: "contact_status_changed"; readonly status: string }
  | {
      readonly type: "contact_field_changed";
      readonly field: { readonly key: string; readonly name: string };
      readonly value: Readonly<Record<string, unknown>> | null;
    }
  | {
      readonly type: "contact_groups_changed";
      readonly groups_added?: readonly NamedReference[];
      readonly groups_removed?: readonly NamedReference[];
    }
  | { readonly type: "contact_urns_changed"; readonly urns: readonly string[] }
  | { readonly type: "input_labels_added"; readonly input_uuid: string; readonly labels: readonly NamedReference[] }
  | {
      readonly type: "webhook_called";
      readonly url: string;
      readonly method: string;
      readonly status: "success" | "response_error" | "connection_error" | "subscriber_gone";
      readonly status_code: number;
      /** The whole request as it was sent, and the answer. */
      readonly request: string;
      readonly response: string;
      readonly elapsed_ms: number;
      readonly resthook?: string;
    }
  | { readonly type: "resthook_called"; readonly resthook: string; readonly payload: unknown }
  | { readonly type: "email_sent"; readonly to: readonly string[]; readonly subject: string; readonly body: string }
  | ({
      readonly type: "broadcast_created";
      readonly translations: Readonly<Record<string, MessageContent>>;
      readonly base_language: string;
    } & EventRecipients)
  | ({
      readonly type: "session_triggered";
      readonly flow: NamedReference;
      readonly create_contact?: boolean;
      readonly exclusions?: { readonly in_a_flow: boolean };
      readonly run_summary: RunSummary;
      readonly history: SessionHistory;
    } & EventRecipients)
  | {
      readonly type: "ticket_opened";
      readonly ticket: { readonly uuid: string; readonly topic?: NamedReference; readonly body: string };
    }
  | { readonly type: "error"; readonly text: string }
  | { readonly type: "failure"; readonly text: string };

/**
 * One thing that a sprint did; its body has the names of the public format (docs/reference/flows.md#events). `atMs` is
 * in milliseconds since 1970; `run` and `step` are uuids.
 */
export type SprintEvent = SprintEventBody & { readonly atMs: number; readonly run?: string; readonly step?: string };
