import { isKnownFunction } from "../../expression/index.js";
import type { ActionType } from "../action-definitions.js";
import type { FlowDefinition, FlowNode } from "../definition.js";

/** A part of a flow that the engine does not execute as the service does. */
export interface Unsupported {
  readonly flow: { readonly uuid: string; readonly name: string };
  /** Uuid. */
  readonly node: string;
  readonly kind: "action" | "test" | "router" | "wait";
  readonly name: string;
  /**
   * True when no version of the service knows the part; false when the service has it and this engine executes it only
   * partly.
   */
  readonly isUnknown: boolean;
  /** What happens instead, in a run or when an account loads the flow. */
  readonly effect: string;
}

/** Actions that need an external service, and what they do without it. */
const limitedActions: Readonly<Partial<Record<ActionType, string>>> = {
  transfer_airtime: "transfers nothing; its result is Failure",
  call_classifier: "classifies nothing; its result is Failure",
};

/** All parts of a definition that the engine does not execute as the service does, in their order. */
export function inspectDefinition(definition: FlowDefinition): readonly Unsupported[] {
  const { uuid, name } = definition;
  return definition.nodes.flatMap((node) =>
    partsOf(node, definition.type === "voice").map((part) => ({ flow: { uuid, name }, node: node.uuid, ...part })),
  );
}

type DefinitionPart = Pick<Unsupported, "kind" | "name" | "isUnknown" | "effect">;

/** The effect of a part that no version of the service knows. */
const refused = "is unknown: the service refuses the flow";

/** Actions of the service that the engine does not have. */
const missingActions: ReadonlySet<string> = new Set(["call_llm", "request_optin", "send_optin"]);

function partsOf({ actions, router }: FlowNode, isVoice: boolean): readonly DefinitionPart[] {
  const parts: DefinitionPart[] = [];
  for (const action of actions) {
    if (action.type === "unsupported") {
      const { name } = action;
      const isUnknown = !missingActions.has(name);
      parts.push({ kind: "action", name, isUnknown, effect: isUnknown ? refused : "is skipped with an error" });
    } else {
      const effect = limitedActions[action.type];
      if (effect !== undefined) parts.push({ kind: "action", name: action.type, isUnknown: false, effect });
    }
  }
  if (router === undefined) return parts;
  const { wait } = router;
  if (wait?.type === "unsupported") parts.push({ kind: "wait", name: wait.name, isUnknown: true, effect: refused });
  if (wait?.type === "dial" || (isVoice && wait?.type === "msg")) {
    parts.push({ kind: "wait", name: wait.type, isUnknown: false, effect: "handset channels carry no calls of flows" });
  }
  if (router.type === "unsupported")
    parts.push({ kind: "router", name: router.name, isUnknown: true, effect: refused });
  if (router.type === "switch") {
    for (const { type } of router.cases) {
      if (!isKnownTest(type)) parts.push({ kind: "test", name: type, isUnknown: true, effect: refused });
    }
  }
  return parts;
}

/** Whether a name is one of the tests (docs/reference/flows.md#tests). */
export function isKnownTest(name: string): boolean {
  return name.startsWith("has_") && isKnownFunction(name);
}
