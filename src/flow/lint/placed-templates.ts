import type { ActionDefinition, VariableReference } from "../action-definitions.js";
import type { FlowDefinition, FlowNode, Localization } from "../definition.js";

/** A template of a flow with its place. */
export interface PlacedTemplate {
  /** UUID of the node. */
  readonly node: string;
  /** `action 2`, `test 1`, `split`. */
  readonly at: string;
  /** Path below the node; undefined for a translation. */
  readonly path?: string;
  readonly text: string;
  /** The language of a translation. */
  readonly language?: string;
  /** The operand of a router: an error in it is a path of the flow. */
  readonly isOperand: boolean;
}

/** Names of a property of an action, and the template in it. */
type Slot = readonly [path: string, text: string];

/** Every text of a flow that a run evaluates as a template, and that has an `@`; translations after the original. */
export function* placedTemplates(
  { nodes }: FlowDefinition,
  translations: Localization,
): Generator<PlacedTemplate, void> {
  for (const node of nodes) {
    for (const one of templatesOf(node)) if (one.text.includes("@")) yield one;
    const places = [
      ...node.actions.map(({ uuid }, index) => ({ uuid, at: `action ${index + 1}` })),
      ...(node.router?.type === "switch"
        ? node.router.cases.map(({ uuid }, index) => ({ uuid, at: `test ${index + 1}` }))
        : []),
    ];
    for (const [language, translated] of translations) {
      for (const { uuid, at } of places) {
        for (const [property, texts] of Object.entries(translated.get(uuid) ?? {})) {
          if (!translatedTemplates.has(property)) continue;
          for (const text of texts) {
            if (text.includes("@"))
              yield { node: node.uuid, at: `${at} in ${language}`, text, language, isOperand: false };
          }
        }
      }
    }
  }
}

/** Properties whose translations are templates too. */
const translatedTemplates: ReadonlySet<string> = new Set([
  "text",
  "quick_replies",
  "attachments",
  "arguments",
  "subject",
  "body",
  "audio_url",
]);

function* templatesOf({ uuid: node, actions, router }: FlowNode): Generator<PlacedTemplate, void> {
  for (const [index, action] of actions.entries()) {
    for (const [path, text] of slotsOf(action)) {
      yield { node, at: `action ${index + 1}`, path: `actions[${index}].${path}`, text, isOperand: false };
    }
  }
  if (router === undefined) return;
  if (router.wait?.type === "dial") {
    yield { node, at: "wait", path: "router.wait.phone", text: router.wait.phone, isOperand: false };
  }
  if (router.type !== "switch") return;
  yield { node, at: "split", path: "router.operand", text: router.operand, isOperand: true };
  for (const [index, { type, arguments: args }] of router.cases.entries()) {
    // The second argument of has_group is the group's name, which nothing evaluates.
    const evaluated = type === "has_group" ? args.slice(0, 1) : args;
    for (const [place, text] of evaluated.entries()) {
      yield {
        node,
        at: `test ${index + 1}`,
        path: `router.cases[${index}].arguments[${place}]`,
        text,
        isOperand: false,
      };
    }
  }
}

function slotsOf(action: ActionDefinition): readonly Slot[] {
  const list = (name: string, texts: readonly string[]): Slot[] =>
    texts.map((text, index): Slot => [`${name}[${index}]`, text]);
  const matches = (name: string, references: readonly VariableReference[]): Slot[] =>
    references.flatMap((one, index): Slot[] =>
      "nameMatch" in one ? [[`${name}[${index}].name_match`, one.nameMatch]] : [],
    );
  switch (action.type) {
    case "send_msg":
      return [
        ["text", action.text],
        ...list("attachments", action.attachments),
        ...list("quick_replies", action.quickReplies),
      ];
    case "send_broadcast":
      return [
        ["text", action.text],
        ...list("attachments", action.attachments),
        ...list("quick_replies", action.quickReplies),
        ...matches("groups", action.groups),
        ...list("legacy_vars", action.legacyVars),
      ];
    case "start_session":
      return [
        ...matches("groups", action.groups),
        ["contact_query", action.contactQuery],
        ...list("legacy_vars", action.legacyVars),
      ];
    case "set_contact_field":
    case "set_run_result":
    case "set_run_local":
      return [["value", action.value]];
    case "set_contact_name":
      return [["name", action.name]];
    case "set_contact_language":
      return [["language", action.language]];
    case "set_contact_timezone":
      return [["timezone", action.timezone]];
    case "add_contact_urn":
      return [["path", action.path]];
    case "add_contact_groups":
    case "remove_contact_groups":
      return matches("groups", action.groups);
    case "add_input_labels":
      return matches("labels", action.labels);
    case "call_webhook":
      return [
        ["url", action.url],
        ...Object.entries(action.headers).map(([name, text]): Slot => [`headers["${name}"]`, text]),
        ["body", action.body],
      ];
    case "send_email":
      return [...list("addresses", action.addresses), ["subject", action.subject], ["body", action.body]];
    case "say_msg":
      return [
        ["text", action.text],
        ["audio_url", action.audioUrl],
      ];
    case "play_audio":
      return [["audio_url", action.audioUrl]];
    case "open_ticket":
      return [["body", action.body]];
    case "call_classifier":
      return [["input", action.input]];
    default:
      return [];
  }
}
