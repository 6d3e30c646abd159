import type { FlowData } from "../../src/wire/index.js";

type Json = Record<string, unknown>;

/** A test of a question, and the category that it leads to. */
type Case = readonly [type: string, args: readonly string[], category: string];

/** A node of a flow. Nodes follow each other; a category named in `to` leads to the node with that name, or ends. */
export interface NodePlan {
  readonly name?: string;
  readonly actions?: readonly Json[];
  /** Waits for a text: its cases; the default category is "Other". */
  readonly ask?: { readonly result: string; readonly cases: readonly Case[]; readonly timeoutSeconds?: number };
  /** Splits by a value. */
  readonly split?: {
    readonly operand: string;
    readonly cases: readonly Case[];
    readonly other?: string;
    readonly result?: string;
  };
  /** Category to node name; null: the flow ends. Default: the next node. */
  readonly to?: Readonly<Record<string, string | null>>;
}

function uuidOf(flow: number, kind: number, index: number): string {
  return `${String(flow).padStart(8, "0")}-000${kind}-4000-8000-${String(index).padStart(12, "0")}`;
}

/** The UUID of a test flow. */
export function flowUuid(flow: number): string {
  return uuidOf(flow, 0, 0);
}

/** The UUID of a node of a test flow. */
export function nodeUuid(flow: number, index: number): string {
  return uuidOf(flow, 1, index);
}

/** A native definition of these nodes, as an account loads it. */
export function flowOf(number: number, name: string, plans: readonly NodePlan[], more: Json = {}): FlowData {
  let count = 0;
  const next = (kind: number): string => uuidOf(number, kind, ++count);
  const target = (plan: NodePlan, category: string, index: number): string | null => {
    const to = plan.to?.[category];
    if (to === null) return null;
    const at = to === undefined ? index + 1 : plans.findIndex((one) => one.name === to);
    return at < plans.length ? nodeUuid(number, at) : null;
  };
  const nodes = plans.map((plan, index): Json => {
    const actions = (plan.actions ?? []).map((action) => ({ uuid: next(2), ...action }));
    const router = plan.ask ?? plan.split;
    const node: Json = { uuid: nodeUuid(number, index), actions };
    if (router === undefined) return { ...node, exits: [{ uuid: next(3), destination_uuid: target(plan, "", index) }] };
    const timeout = plan.ask?.timeoutSeconds;
    const other = plan.split?.other ?? "Other";
    const names = [...new Set([...router.cases.map(([, , category]) => category), other])];
    if (timeout !== undefined) names.push("No Response");
    const categories = names.map((category) => ({ uuid: next(4), name: category, exit_uuid: next(3) }));
    const idOf = (category: string): string | undefined => categories.find((one) => one.name === category)?.uuid;
    return {
      ...node,
      router: {
        type: "switch",
        operand: plan.split?.operand ?? "@input.text",
        cases: router.cases.map(([type, args, category]) => ({
          uuid: next(5),
          type,
          arguments: args,
          category_uuid: idOf(category),
        })),
        categories,
        default_category_uuid: idOf(other),
        ...(plan.split?.result !== undefined && { result_name: plan.split.result }),
        ...(plan.ask !== undefined && {
          result_name: plan.ask.result,
          wait: {
            type: "msg",
            ...(timeout !== undefined && { timeout: { seconds: timeout, category_uuid: idOf("No Response") } }),
          },
        }),
      },
      exits: categories.map((category) => ({
        uuid: category.exit_uuid,
        destination_uuid: target(plan, category.name, index),
      })),
    };
  });
  return {
    uuid: flowUuid(number),
    name,
    type: "message",
    isArchived: false,
    expiresMinutes: 720,
    labels: [],
    definition: {
      uuid: flowUuid(number),
      name,
      spec_version: "13.1.0",
      language: "eng",
      type: "messaging",
      revision: 1,
      expire_after_minutes: 720,
      localization: {},
      nodes,
      ...more,
    },
  };
}

/** The action that sends a text. */
export function say(text: string): Json {
  return { type: "send_msg", text };
}
