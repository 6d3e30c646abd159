import type { FlowData } from "../../src/wire/index.js";

/** The UUID of a node: `node(1)`. */
export function node(digit: number): string {
  return `b1b2b3b4-1111-4222-8333-44445555666${digit}`;
}

const actionUuid = "c1c2c3c4-1111-4222-8333-444455556666";
const exitUuid = "d1d2d3d4-1111-4222-8333-444455556666";

/** The content of a test flow, in addition to the question whose answer it saves as "Nets left". */
interface Mentions {
  /** Flows that it enters. */
  readonly flows?: readonly { readonly uuid: string; readonly name: string }[];
  readonly groups?: readonly { readonly uuid: string; readonly name: string }[];
  readonly fields?: readonly { readonly key: string; readonly name: string }[];
}

/** A native definition with a question, and a node for each reference. */
export function nativeDefinition(uuid: string, name: string, mentions: Mentions = {}): Record<string, unknown> {
  const actions = [
    ...(mentions.flows ?? []).map((flow) => ({ type: "enter_flow", flow })),
    ...(mentions.groups ?? []).map((group) => ({ type: "add_contact_groups", groups: [group] })),
    ...(mentions.fields ?? []).map((field) => ({ type: "set_contact_field", field, value: "@results.nets_left" })),
  ];
  const categories = ["Has number", "Other"].map((category, index) => ({
    uuid: `e1e2e3e4-1111-4222-8333-44445555666${index}`,
    name: category,
    exit_uuid: exitUuid,
  }));
  return {
    uuid,
    name,
    spec_version: "13.1.0",
    language: "eng",
    type: "messaging",
    expire_after_minutes: 720,
    localization: {},
    nodes: [
      {
        uuid: node(1),
        actions: [],
        router: {
          type: "switch",
          operand: "@input.text",
          result_name: "Nets left",
          wait: { type: "msg" },
          cases: [],
          categories,
          default_category_uuid: categories[1]?.uuid,
        },
        exits: [{ uuid: exitUuid, destination_uuid: null }],
      },
      ...actions.map((action, index) => ({
        uuid: node(index + 2),
        actions: [{ uuid: `${actionUuid.slice(0, -1)}${index}`, ...action }],
        exits: [{ uuid: `${exitUuid.slice(0, -1)}${index}`, destination_uuid: null }],
      })),
    ],
  };
}

/** A legacy definition that ends at once. */
export function legacyDefinition(uuid: string, name: string, version: number | string): Record<string, unknown> {
  return {
    version,
    flow_type: "F",
    base_language: "eng",
    entry: node(1),
    metadata: { uuid, name, revision: 1, expires: 720 },
    action_sets: [{ uuid: node(1), exit_uuid: exitUuid, destination: null, x: 0, y: 0, actions: [] }],
    rule_sets: [],
  };
}

/** The data of a flow, as files and exports hold it. */
export function flowData(definition: Record<string, unknown>, more: Partial<FlowData> = {}): FlowData {
  const metadata = (definition["metadata"] ?? definition) as { uuid: string; name: string };
  return {
    uuid: metadata.uuid,
    name: metadata.name,
    type: "message",
    isArchived: false,
    expiresMinutes: 720,
    labels: [],
    definition,
    ...more,
  };
}

/** A UUID that ends in a number. */
export function uuidOf(number: number): string {
  return `2b6d8f10-4e5a-4c3b-8a9d-${String(number).padStart(12, "0")}`;
}
