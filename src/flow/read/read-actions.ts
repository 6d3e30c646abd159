import { ownValue } from "../../wire/index.js";
import type { ActionDefinition, Recipients, SupportedAction, VariableReference } from "../action-definitions.js";
import type { NamedReference } from "../named-reference.js";
import type { JsonObject } from "./json-object.js";

type Reader<Type extends SupportedAction> = (
  action: JsonObject,
) => Omit<Extract<ActionDefinition, { type: Type }>, "uuid">;

/**
 * Reads an action of a node. An unknown type becomes "unsupported" and keeps its name, so that a flow loads and
 * `inspectDefinition` reports it.
 */
export function readAction(action: JsonObject): ActionDefinition {
  const type = action.neededText("type");
  const uuid = action.text("uuid");
  const read = ownValue<(action: JsonObject) => object>(readers, type);
  return read === undefined
    ? { uuid, type: "unsupported", name: type }
    : ({ uuid, ...read(action) } as ActionDefinition);
}

const readers: { readonly [Type in SupportedAction]: Reader<Type> } = {
  send_msg: (action) => ({
    type: "send_msg",
    ...messageOf(action),
    allUrns: action.isTrue("all_urns"),
    topic: action.text("topic"),
  }),
  set_contact_field: (action) => {
    const field = action.requireObject("field");
    const key = field.neededText("key");
    return { type: "set_contact_field", field: { key, name: field.text("name") || key }, value: action.text("value") };
  },
  set_contact_name: (action) => ({ type: "set_contact_name", name: action.text("name") }),
  set_contact_language: (action) => ({ type: "set_contact_language", language: action.text("language") }),
  set_contact_timezone: (action) => ({ type: "set_contact_timezone", timezone: action.text("timezone") }),
  set_contact_status: (action) => ({ type: "set_contact_status", status: action.neededText("status") }),
  set_contact_channel: (action) => {
    const channel = action.object("channel");
    return { type: "set_contact_channel", channel: channel === undefined ? null : referenceOf(channel) };
  },
  add_contact_urn: (action) => ({
    type: "add_contact_urn",
    scheme: action.neededText("scheme"),
    path: action.text("path"),
  }),
  add_contact_groups: (action) => ({ type: "add_contact_groups", groups: variableReferences(action, "groups") }),
  remove_contact_groups: (action) => ({
    type: "remove_contact_groups",
    groups: variableReferences(action, "groups"),
    allGroups: action.isTrue("all_groups"),
  }),
  add_input_labels: (action) => ({ type: "add_input_labels", labels: variableReferences(action, "labels") }),
  set_run_result: (action) => ({
    type: "set_run_result",
    name: action.neededText("name"),
    value: action.text("value"),
    category: action.text("category"),
  }),
  enter_flow: (action) => ({
    type: "enter_flow",
    flow: referenceOf(action.requireObject("flow")),
    terminal: action.isTrue("terminal"),
  }),
  start_session: (action) => ({
    type: "start_session",
    flow: referenceOf(action.requireObject("flow")),
    createContact: action.isTrue("create_contact"),
    excludesInAFlow: action.object("exclusions")?.isTrue("in_a_flow") ?? false,
    ...recipientsOf(action),
  }),
  send_broadcast: (action) => ({ type: "send_broadcast", ...messageOf(action), ...recipientsOf(action) }),
  call_webhook: (action) => ({
    type: "call_webhook",
    method: action.text("method") || "GET",
    url: action.text("url"),
    headers: action.textMap("headers"),
    body: action.text("body"),
    resultName: action.text("result_name"),
  }),
  call_resthook: (action) => ({
    type: "call_resthook",
    resthook: action.neededText("resthook"),
    resultName: action.text("result_name"),
  }),
  send_email: (action) => ({
    type: "send_email",
    addresses: action.texts("addresses"),
    subject: action.text("subject"),
    body: action.text("body"),
  }),
  say_msg: (action) => ({ type: "say_msg", text: action.text("text"), audioUrl: action.text("audio_url") }),
  play_audio: (action) => ({ type: "play_audio", audioUrl: action.text("audio_url") }),
  transfer_airtime: (action) => {
    const amounts = action.object("amounts");
    return {
      type: "transfer_airtime",
      amounts: Object.fromEntries((amounts?.keys() ?? []).map((key) => [key, amounts?.number(key, 0) ?? 0])),
      resultName: action.text("result_name"),
    };
  },
  open_ticket: (action) => {
    const topic = action.object("topic");
    return {
      type: "open_ticket",
      subject: action.text("subject"),
      body: action.text("body") || action.text("note"),
      topic: topic && referenceOf(topic),
      resultName: action.text("result_name"),
    };
  },
  call_classifier: (action) => ({
    type: "call_classifier",
    classifier: referenceOf(action.requireObject("classifier")),
    input: action.text("input"),
    resultName: action.text("result_name"),
  }),
  set_run_local: (action) => ({
    type: "set_run_local",
    local: action.neededText("local"),
    value: action.text("value"),
    operation: action.text("operation") || "set",
  }),
};

function messageOf(action: JsonObject): {
  readonly text: string;
  readonly attachments: readonly string[];
  readonly quickReplies: readonly string[];
} {
  return {
    text: action.text("text"),
    attachments: action.texts("attachments"),
    quickReplies: quickReplies(action),
  };
}

/** Since 14.x a quick reply may be an object with a text. */
function quickReplies(action: JsonObject): readonly string[] {
  const replies = action.items("quick_replies");
  if (replies.every((reply) => typeof reply !== "object")) return action.texts("quick_replies");
  return action.objects("quick_replies", "quick reply").map((reply) => reply.text("text"));
}

function recipientsOf(action: JsonObject): Recipients {
  return {
    contacts: action.objects("contacts", "contact").map(referenceOf),
    groups: variableReferences(action, "groups"),
    urns: action.texts("urns"),
    contactQuery: action.text("contact_query"),
    legacyVars: action.texts("legacy_vars"),
  };
}

function variableReferences(action: JsonObject, name: string): readonly VariableReference[] {
  return action.objects(name, name.replace(/s$/, "")).map((item) => {
    // Files of other tools name groups and labels without their uuid.
    const nameMatch = item.text("name_match") || item.text("name");
    return nameMatch !== "" && item.text("uuid") === "" ? { nameMatch } : referenceOf(item);
  });
}

function referenceOf(item: JsonObject): NamedReference {
  return { uuid: item.neededText("uuid"), name: item.text("name") };
}
