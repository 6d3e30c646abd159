import { neededReferencesOf } from "../../expression/index.js";
import type { ActionDefinition, VariableReference } from "../action-definitions.js";
import type { FlowDefinition, FlowNode, FlowRouter } from "../definition.js";
import type { NamedReference } from "../named-reference.js";
import { templatesIn } from "./templates-in.js";

/** What flows refer to outside themselves. */
export type ReferenceKind =
  "flow" | "group" | "label" | "field" | "global" | "channel" | "contact" | "boundaries" | "trigger flow";

/** A reference of a flow to something that the account has to have. */
export interface FlowReference {
  readonly kind: ReferenceKind;
  /** Undefined: by name only. */
  readonly uuid?: string;
  /**
   * Name; key of a field or global; `state`, `district` or `ward` of boundaries. Empty when the flow does not give
   * one.
   */
  readonly name: string;
  /** The flow that refers; undefined when a trigger or campaign does, which `by` names. */
  readonly flow?: NamedReference;
  /** UUID. */
  readonly node?: string;
  /** The type of the action or test, or the template that refers. */
  readonly by: string;
  /** For a test: the category that is taken when no test passes. */
  readonly otherwise?: string;
}

/** References of a part of a flow: of a node outside its templates, or of one template. */
export interface PartReferences {
  readonly references: readonly FlowReference[];
  /** Length of the template in characters; 0 when the part is not a template. */
  readonly length: number;
}

/**
 * The references of a flow, part by part, in the order of its nodes. For a template: only references whose absence
 * makes its evaluation fail.
 */
export function* flowReferences(definition: FlowDefinition): Generator<PartReferences, void> {
  const { uuid, name, localization } = definition;
  const flow = { uuid, name };
  for (const node of definition.nodes) {
    const placed = (found: readonly Found[]): FlowReference[] =>
      found.map((one) => ({ ...one, flow, node: node.uuid }));
    yield { references: placed(nodeReferences(node)), length: 0 };
    const translated = (id: string): readonly string[] =>
      [...localization.values()].flatMap((texts) => Object.values(texts.get(id) ?? {}).flat());
    const ids = [...node.actions.map((action) => action.uuid), ...casesOf(node.router).map((one) => one.uuid)];
    const templates = [...templatesIn(node.actions), ...templatesIn(node.router), ...ids.flatMap(translated)];
    for (const template of templates)
      yield { references: placed(templateReferences(template)), length: template.length };
  }
}

type Found = Omit<FlowReference, "flow" | "node">;

function nodeReferences({ actions, router }: FlowNode): readonly Found[] {
  const otherwise = defaultCategoryOf(router);
  return [
    ...actions.flatMap(actionReferences),
    ...casesOf(router)
      .flatMap(caseReferences)
      .map((one) => ({ ...one, ...(otherwise !== undefined && { otherwise }) })),
  ];
}

function defaultCategoryOf(router: FlowRouter | undefined): string | undefined {
  if (router?.type !== "switch") return undefined;
  return router.categories.find(({ uuid }) => uuid === router.defaultCategory)?.name;
}

function casesOf(router: FlowRouter | undefined): Extract<FlowRouter, { type: "switch" }>["cases"] {
  return router?.type === "switch" ? router.cases : [];
}

function actionReferences(action: ActionDefinition): readonly Found[] {
  const by = action.type;
  const named = (kind: ReferenceKind, { uuid, name }: NamedReference): Found => ({ kind, uuid, name, by });
  const variable = (kind: ReferenceKind, reference: VariableReference): Found[] => {
    if ("uuid" in reference) return [named(kind, reference)];
    return reference.nameMatch.includes("@") ? [] : [{ kind, name: reference.nameMatch, by }];
  };
  switch (action.type) {
    case "enter_flow":
      return [named("flow", action.flow)];
    case "start_session":
      return [
        named("flow", action.flow),
        ...action.contacts.map((contact) => named("contact", contact)),
        ...action.groups.flatMap((group) => variable("group", group)),
      ];
    case "send_broadcast":
      return [
        ...action.contacts.map((contact) => named("contact", contact)),
        ...action.groups.flatMap((group) => variable("group", group)),
      ];
    case "add_contact_groups":
    case "remove_contact_groups":
      return action.groups.flatMap((group) => variable("group", group));
    case "add_input_labels":
      return action.labels.flatMap((label) => variable("label", label));
    case "set_contact_field":
      return [{ kind: "field", name: action.field.key, by }];
    case "set_contact_channel":
      return action.channel === null ? [] : [named("channel", action.channel)];
    default:
      return [];
  }
}

/** Tests that search for a place, with its level. */
const placeTests: ReadonlyMap<string, string> = new Map([
  ["has_state", "state"],
  ["has_district", "district"],
  ["has_ward", "ward"],
]);

function caseReferences({
  type,
  arguments: args,
}: {
  readonly type: string;
  readonly arguments: readonly string[];
}): Found[] {
  const level = placeTests.get(type);
  if (level !== undefined) return [{ kind: "boundaries", name: level, by: type }];
  const [uuid = "", name = ""] = args;
  return type === "has_group" && uuid !== "" && !uuid.includes("@") ? [{ kind: "group", uuid, name, by: type }] : [];
}

/** Paths in templates under which the fields of contacts are. */
const fieldPaths: ReadonlySet<string> = new Set([
  "fields",
  "contact.fields",
  "parent.fields",
  "parent.contact.fields",
  "child.fields",
  "child.contact.fields",
  "run.contact.fields",
]);

function templateReferences(template: string): Found[] {
  return neededReferencesOf(template, ["fields", "contact", "parent", "child", "run", "globals"]).flatMap(
    (path): Found[] => {
      const by = `@${path.join(".")}`;
      const [root, key] = path;
      if (root === "globals") return key === undefined ? [] : [{ kind: "global", name: key, by }];
      const at = path.indexOf("fields");
      const field = at === -1 || !fieldPaths.has(path.slice(0, at + 1).join(".")) ? undefined : path[at + 1];
      return field === undefined ? [] : [{ kind: "field", name: field, by }];
    },
  );
}
