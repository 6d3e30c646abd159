import { referencesOf } from "../../expression/index.js";
import type { ActionDefinition } from "../action-definitions.js";
import type { FlowDefinition } from "../definition.js";
import type { Assets, FieldAsset, FieldAssetType, GroupAsset } from "../host.js";
import type { NamedReference } from "../named-reference.js";
import { recordsIn, textIn } from "../read/json-object.js";
import { readDefinition } from "../read/read-definition.js";
import { templatesIn } from "../read/templates-in.js";

const channel = {
  uuid: "00000000-0000-4000-8000-000000000001",
  name: "Android",
  address: "+250788000001",
  schemes: ["tel"],
  roles: ["send", "receive"],
};

/** Assets for the flows of a file. Objects that the flows name and the file lacks are created, as an import does. */
export interface WalkAssets extends Assets {
  /** Names of sub-flows that the file lacks. Each is replaced by a flow without nodes. */
  readonly missingFlows: readonly string[];
  /** Names of all groups. */
  groupNames(): readonly string[];
}

/** @param json - the export, for its fields and groups */
export function walkAssets(flows: readonly FlowDefinition[], json: Readonly<Record<string, unknown>>): WalkAssets {
  const byUuid = new Map(flows.map((flow) => [flow.uuid, flow]));
  const fields = new Map<string, FieldAsset>();
  const groups = new Map<string, GroupAsset>();
  const labels = new Map<string, NamedReference>();
  const missing = new Map<string, string>();
  for (const field of recordsIn(json["fields"])) {
    const { key, name, type } = field;
    if (typeof key === "string") fields.set(key, { key, name: textIn(name) || key, type: typeIn(type) });
  }
  for (const { uuid, name } of recordsIn(json["groups"])) {
    // Only actions add contacts to smart groups in a walk: queries are not evaluated.
    if (typeof uuid === "string") groups.set(uuid, { uuid, name: textIn(name) });
  }
  const addField = (key: string, name = key): void => {
    if (!fields.has(key)) fields.set(key, { key, name, type: "text" });
  };
  for (const flow of flows) {
    for (const node of flow.nodes) {
      for (const action of node.actions) {
        addReferences(action, { addField, groups, labels });
        if (action.type === "enter_flow" && !byUuid.has(action.flow.uuid)) {
          missing.set(action.flow.uuid, action.flow.name);
          byUuid.set(action.flow.uuid, emptyFlow(action.flow, flow.type));
        }
      }
      if (node.router?.type === "switch") {
        for (const { type, arguments: args } of node.router.cases) {
          const [uuid = "", name = ""] = args;
          if (type === "has_group" && uuid !== "" && !groups.has(uuid)) groups.set(uuid, { uuid, name });
        }
      }
      for (const template of templatesIn(node)) {
        for (const [root, key] of referencesOf(template, ["fields"])) if (root && key) addField(key);
      }
    }
  }
  const byName = [...fields.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const findByName = <Named extends NamedReference>(items: Map<string, Named>, name: string): Named | undefined =>
    [...items.values()].find((item) => item.name.toLowerCase() === name.toLowerCase());
  return {
    missingFlows: [...missing.values()],
    groupNames: () => [...groups.values()].map(({ name }) => name),
    flow: (uuid) => byUuid.get(uuid),
    flowByName: (name) => [...byUuid.values()].find((flow) => flow.name === name),
    field: (key) => fields.get(key),
    fields: () => byName,
    group: (uuid) => groups.get(uuid),
    groupByName: (name) => findByName(groups, name),
    smartGroups: () => [],
    isMember: () => undefined,
    label: (uuid) => labels.get(uuid),
    labelByName: (name) => findByName(labels, name),
    channel: (uuid) => (uuid === channel.uuid ? channel : undefined),
    channels: () => [channel],
    resthook: () => ({ subscribers: ["https://example.org/hook"] }),
    globals: {},
  };
}

function addReferences(
  action: ActionDefinition,
  found: {
    readonly addField: (key: string, name?: string) => void;
    readonly groups: Map<string, GroupAsset>;
    readonly labels: Map<string, NamedReference>;
  },
): void {
  if (action.type === "set_contact_field") found.addField(action.field.key, action.field.name);
  if ("groups" in action) {
    for (const group of action.groups) {
      if ("uuid" in group && !found.groups.has(group.uuid)) found.groups.set(group.uuid, group);
    }
  }
  if (action.type === "add_input_labels") {
    for (const label of action.labels) if ("uuid" in label) found.labels.set(label.uuid, label);
  }
}

function emptyFlow({ uuid, name }: NamedReference, type: FlowDefinition["type"]): FlowDefinition {
  return readDefinition({ uuid, name, type, nodes: [] });
}

function typeIn(json: unknown): FieldAssetType {
  return json === "number" || json === "datetime" || json === "state" || json === "district" || json === "ward"
    ? json
    : "text";
}
