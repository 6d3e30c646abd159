import type { NamedReference } from "./named-reference.js";

/** A group or label that an action names: by uuid, or by a template that gives its name. */
export type VariableReference = NamedReference | { readonly nameMatch: string };

/** Recipients of an action besides the run's own contact: those to whom it sends, or whom it starts in a flow. */
export interface Recipients {
  readonly contacts: readonly NamedReference[];
  readonly groups: readonly VariableReference[];
  readonly urns: readonly string[];
  /** Template of a contact query; empty: none. */
  readonly contactQuery: string;
  /** Templates; each gives the uuid of a contact, the name of a group or an address. */
  readonly legacyVars: readonly string[];
}

/** An action of a node by its type (docs/reference/flows.md#actions). Texts are templates. */
export type ActionDefinition = { readonly uuid: string } & (
  | {
      readonly type: "send_msg";
      readonly text: string;
      readonly attachments: readonly string[];
      readonly quickReplies: readonly string[];
      readonly allUrns: boolean;
      readonly topic: string;
    }
  | {
      readonly type: "set_contact_field";
      readonly field: { readonly key: string; readonly name: string };
      readonly value: string;
    }
  | { readonly type: "set_contact_name"; readonly name: string }
  | { readonly type: "set_contact_language"; readonly language: string }
  | { readonly type: "set_contact_timezone"; readonly timezone: string }
  | { readonly type: "set_contact_status"; readonly status: string }
  | { readonly type: "set_contact_channel"; readonly channel: NamedReference | null }
  | { readonly type: "add_contact_urn"; readonly scheme: string; readonly path: string }
  | { readonly type: "add_contact_groups"; readonly groups: readonly VariableReference[] }
  | {
      readonly type: "remove_contact_groups";
      readonly groups: readonly VariableReference[];
      readonly allGroups: boolean;
    }
  | { readonly type: "add_input_labels"; readonly labels: readonly VariableReference[] }
  | { readonly type: "set_run_result"; readonly name: string; readonly value: string; readonly category: string }
  | { readonly type: "enter_flow"; readonly flow: NamedReference; readonly terminal: boolean }
  | ({
      readonly type: "start_session";
      readonly flow: NamedReference;
      readonly createContact: boolean;
      readonly excludesInAFlow: boolean;
    } & Recipients)
  | ({
      readonly type: "send_broadcast";
      readonly text: string;
      readonly attachments: readonly string[];
      readonly quickReplies: readonly string[];
    } & Recipients)
  | {
      readonly type: "call_webhook";
      readonly method: string;
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      readonly resultName: string;
    }
  | { readonly type: "call_resthook"; readonly resthook: string; readonly resultName: string }
  | {
      readonly type: "send_email";
      readonly addresses: readonly string[];
      readonly subject: string;
      readonly body: string;
    }
  | { readonly type: "say_msg"; readonly text: string; readonly audioUrl: string }
  | { readonly type: "play_audio"; readonly audioUrl: string }
  | {
      readonly type: "transfer_airtime";
      readonly amounts: Readonly<Record<string, number>>;
      readonly resultName: string;
    }
  | {
      readonly type: "open_ticket";
      readonly subject: string;
      readonly body: string;
      readonly topic?: NamedReference;
      readonly resultName: string;
    }
  | {
      readonly type: "call_classifier";
      readonly classifier: NamedReference;
      readonly input: string;
      readonly resultName: string;
    }
  | { readonly type: "set_run_local"; readonly local: string; readonly value: string; readonly operation: string }
  | { readonly type: "unsupported"; readonly name: string }
);

/** The type of an action that the engine knows, or "unsupported". */
export type ActionType = ActionDefinition["type"];

/** The name of an action that the engine executes. */
export type SupportedAction = Exclude<ActionType, "unsupported">;
