import type { SupportedAction } from "../../flow/index.js";
import { type FlowType, ownValue, urnSchemes } from "../../wire/index.js";

/** Maximum counts in one flow or node (docs/reference/flows.md#limits). */
export const limits = {
  nodes: 1000,
  /** Actions, exits, categories and cases, each. */
  perNode: 100,
  attachments: 10,
  quickReplies: 10,
} as const;

/**
 * The types of native flows, and what the API calls them (docs/reference/flows.md#native-definitions;
 * docs/reference/service-api.md#flows).
 */
export const nativeTypes: Readonly<Record<string, FlowType>> = {
  messaging: "message",
  messaging_background: "background",
  messaging_offline: "survey",
  voice: "voice",
};

/**
 * The letters of legacy flows (docs/reference/flows.md#legacy-shape): single messages and USSD dialogues are message
 * flows here.
 */
export const legacyTypes: Readonly<Record<string, FlowType>> = {
  F: "message",
  M: "message",
  U: "message",
  V: "voice",
  S: "survey",
};

/**
 * The required keys of an action (`flow.uuid`: key `uuid` inside `flow`), and where it is allowed
 * (docs/reference/flows.md#actions).
 */
interface ActionForm {
  readonly needs?: readonly string[];
  /** Allowed only in voice flows. */
  readonly voice?: true;
  /** Allowed in all flows except background flows. */
  readonly foreground?: true;
  /** Saves its outcome as a result with the category Success or Failure. */
  readonly result?: true;
}

/**
 * The actions of native flows (docs/reference/flows.md#actions; where each is allowed:
 * docs/reference/flows.md#native-definitions).
 */
export const nativeActions: Readonly<Record<SupportedAction | "request_optin" | "call_llm", ActionForm>> = {
  send_msg: {},
  set_contact_field: { needs: ["field.key"] },
  set_contact_name: {},
  set_contact_language: {},
  set_contact_timezone: {},
  set_contact_status: { needs: ["status"] },
  set_contact_channel: {},
  add_contact_urn: { needs: ["scheme"] },
  add_contact_groups: {},
  remove_contact_groups: {},
  add_input_labels: { foreground: true },
  set_run_result: { needs: ["name"] },
  enter_flow: { needs: ["flow.uuid"] },
  start_session: { needs: ["flow.uuid"] },
  send_broadcast: {},
  call_webhook: { needs: ["url"], result: true },
  call_resthook: { needs: ["resthook"], result: true },
  send_email: {},
  say_msg: { voice: true },
  play_audio: { voice: true },
  transfer_airtime: { result: true },
  open_ticket: { result: true },
  call_classifier: { result: true },
  request_optin: {},
  call_llm: {},
  set_run_local: {},
};

/** The form of an action; undefined when no version of the service knows it. */
export function actionForm(name: string): ActionForm | undefined {
  return ownValue<ActionForm>(nativeActions, name);
}

/** The actions of legacy flows (docs/reference/flows.md#legacy-shape). */
export const legacyActions: ReadonlySet<string> = new Set([
  "reply",
  "send",
  "add_group",
  "del_group",
  "save",
  "lang",
  "channel",
  "flow",
  "trigger-flow",
  "email",
  "add_label",
  "api",
  "say",
  "play",
]);

/** The kinds of rule set (docs/reference/flows.md#legacy-shape). */
export const ruleSetTypes: ReadonlySet<string> = new Set([
  "wait_message",
  "wait_digit",
  "wait_digits",
  "wait_recording",
  "wait_photo",
  "wait_video",
  "wait_audio",
  "wait_gps",
  "wait_menu",
  "wait_ussd",
  "expression",
  "flow_field",
  "contact_field",
  "form_field",
  "group",
  "random",
  "subflow",
  "webhook",
  "resthook",
  "airtime",
]);

/** The tests of rules (docs/reference/flows.md#legacy-shape). */
export const legacyTests: ReadonlySet<string> = new Set([
  "true",
  "false",
  "and",
  "or",
  "not_empty",
  "contains",
  "contains_any",
  "contains_phrase",
  "contains_only_phrase",
  "starts",
  "regex",
  "number",
  "eq",
  "lt",
  "lte",
  "gt",
  "gte",
  "between",
  "date",
  "date_equal",
  "date_before",
  "date_after",
  "phone",
  "has_email",
  "state",
  "district",
  "ward",
  "in_group",
  "subflow",
  "timeout",
  "webhook_status",
  "airtime_status",
  "interrupted_status",
]);

/**
 * Properties of contacts in legacy expressions (docs/reference/flows.md#legacy-expressions); other names are keys of
 * fields.
 */
export const contactProperties: ReadonlySet<string> = new Set([
  "name",
  "first_name",
  "uuid",
  "id",
  "language",
  "created_on",
  "groups",
  "tel_e164",
  ...urnSchemes,
]);
