import type { FlowNode, NativeFlowType } from "../definition.js";
import type { DefinitionProblem } from "./definition-error.js";

/** Actions that only voice flows may hold. */
const voiceActions = new Set(["say_msg", "play_audio"]);
/** Actions that a background flow may not hold. */
const foregroundActions = new Set([...voiceActions, "add_input_labels"]);

/**
 * Checks the references within a flow, and the rules of its flow type (docs/reference/flows.md#native-definitions).
 *
 * @param place - names the flow in problems
 */
export function checkNodes(
  nodes: readonly FlowNode[],
  { type, place }: { readonly type: NativeFlowType; readonly place: string },
): readonly DefinitionProblem[] {
  const problems: DefinitionProblem[] = [];
  const uuids = new Set<string>();
  const nodeUuids = new Set(nodes.map(({ uuid }) => uuid));
  for (const node of nodes) {
    const at = `${place}, node ${node.uuid}`;
    const addProblem = (name: string, text: string): void => {
      problems.push({ place: at, name, text });
    };
    const addUuid = (uuid: string, word: string): void => {
      if (uuid === "") return;
      if (uuids.has(uuid)) addProblem(uuid, `${word} uuid ${uuid} is used twice`);
      uuids.add(uuid);
    };
    addUuid(node.uuid, "node");
    for (const action of node.actions) {
      addUuid(action.uuid, "action");
      const isAllowed =
        type === "voice" || !(type === "messaging_background" ? foregroundActions : voiceActions).has(action.type);
      if (!isAllowed) addProblem(action.type, `action ${action.type} is not allowed in a flow of type ${type}`);
    }
    if (node.exits.length === 0) addProblem("exits", "has no exit");
    for (const { uuid, destination } of node.exits) {
      addUuid(uuid, "exit");
      if (destination !== null && !nodeUuids.has(destination)) {
        addProblem(destination, `exit ${uuid} leads to ${destination}, which is no node of the flow`);
      }
    }
    checkRouter(node, type, addProblem);
  }
  return problems;
}

function checkRouter(
  { router, exits }: FlowNode,
  type: NativeFlowType,
  addProblem: (name: string, text: string) => void,
): void {
  if (router === undefined) return;
  const categories = new Set(router.categories.map(({ uuid }) => uuid));
  const checkCategory = (uuid: string, word: string): void => {
    if (!categories.has(uuid)) addProblem(uuid, `${word} names ${uuid}, which is no category of the router`);
  };
  for (const { name, exit } of router.categories) {
    if (exit !== "" && !exits.some(({ uuid }) => uuid === exit)) {
      addProblem(exit, `category "${name}" names ${exit}, which is no exit of the node`);
    }
  }
  if (router.type === "switch") {
    for (const one of router.cases) checkCategory(one.category, `case ${one.type}`);
    if (router.defaultCategory !== "") checkCategory(router.defaultCategory, "default_category_uuid");
  }
  const { wait } = router;
  if (wait === undefined) return;
  if (wait.type === "msg" && wait.timeout !== undefined) checkCategory(wait.timeout.category, "timeout");
  if (type === "messaging_background" || (wait.type === "dial" && type !== "voice")) {
    addProblem("wait", `wait ${wait.type} is not allowed in a flow of type ${type}`);
  }
}
