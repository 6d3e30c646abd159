import type { FlowCategory, FlowDefinition, FlowNode, FlowRouter } from "../definition.js";
import { nodesFrom } from "../lint/linted-flow.js";
import { nodeTitle } from "../node-title.js";
import type { ReachedParts } from "./reached.js";

/** A node or category that no conversation has reached, and why. */
export interface UnreachedPart {
  readonly node: { readonly uuid: string; readonly title: string };
  /** Name; null: the node itself. */
  readonly category: string | null;
  readonly why: string;
}

/** The parts of a flow that were not reached, in order. Of a node that was not reached, its categories are left out. */
export function unreachedParts(
  flow: FlowDefinition,
  reached: ReachedParts,
  isCutShort: boolean,
): readonly UnreachedPart[] {
  const possible = nodesFrom(flow, flow.nodes.slice(0, 1));
  return flow.nodes.flatMap((node): UnreachedPart[] => {
    const place = { uuid: node.uuid, title: nodeTitle(node) };
    if (!reached.has(node.uuid)) {
      return [{ node: place, category: null, why: whyNode(flow, node, { reached, possible, isCutShort }) }];
    }
    return (node.router?.categories ?? [])
      .filter(({ uuid }) => !reached.has(uuid))
      .map((category) => ({ node: place, category: category.name, why: whyCategory(node, category) }));
  });
}

function whyNode(
  { nodes }: FlowDefinition,
  node: FlowNode,
  {
    reached,
    possible,
    isCutShort,
  }: { readonly reached: ReachedParts; readonly possible: ReadonlySet<string>; readonly isCutShort: boolean },
): string {
  if (!possible.has(node.uuid)) return "no path from the start leads to it";
  for (const before of nodes) {
    const exits = before.exits.filter(({ destination }) => destination === node.uuid).map(({ uuid }) => uuid);
    if (exits.length === 0 || before.uuid === node.uuid) continue;
    const categories = before.router?.categories.filter(({ exit }) => exits.includes(exit)) ?? [];
    const names = categories.map(({ name }) => `'${name}'`).join(" or ");
    if (reached.has(before.uuid) && names !== "") return `only ${names} of ${nodeTitle(before)} leads to it`;
  }
  return isCutShort ? "the search ended before" : "it follows only nodes that were not reached";
}

function whyCategory({ router, actions }: FlowNode, category: FlowCategory): string {
  if (router?.type !== "switch") return "chance did not choose it";
  const cases = router.cases.filter((one) => one.category === category.uuid);
  const isDefault = router.defaultCategory === category.uuid;
  const isTimeout = router.wait?.type === "msg" && router.wait.timeout?.category === category.uuid;
  if (cases.length === 0 && !isDefault && !isTimeout) return "no test leads to it";
  const tests = [...new Set(cases.map(({ type }) => type))];
  if (tests.some((type) => /^has_(state|district|ward)$/.test(type))) return "it needs the boundaries of an account";
  if (tests.some((type) => /^has_(top_)?intent$/.test(type))) return "it needs an answer of the classifier";
  if (tests.some((type) => type.startsWith("has_date"))) return "it depends on the date";
  if (router.wait !== undefined) {
    if (isDefault && cases.length === 0) return "every answer that was tried passes a test";
    const shadowing = shadowingCategory(router, category);
    return shadowing === undefined
      ? `no answer was found that passes ${tests.join(" or ")}`
      : `answers that pass its test go to '${shadowing}' first`;
  }
  return whySplit(router.operand, actions, isDefault);
}

function whySplit(operand: string, actions: FlowNode["actions"], isDefault: boolean): string {
  const types = new Set(actions.map(({ type }) => type));
  if (types.has("transfer_airtime")) return "it needs a transfer of airtime";
  if (types.has("open_ticket")) return "tickets are always opened here";
  if (types.has("call_classifier")) return "it needs an answer of the classifier";
  if (/\bwebhook\b|\blegacy_extra\b/.test(operand) || types.has("call_webhook") || types.has("call_resthook")) {
    return "it needs another answer of the HTTP call than {}";
  }
  if (/\bchild\b/.test(operand)) {
    return isDefault
      ? "a flow that is entered completes or expires"
      : "it depends on how the flow that is entered ends";
  }
  if (/\bparent\b/.test(operand)) return "it needs a flow that enters this one";
  if (/\btrigger\b|\bresume\b/.test(operand)) return "it depends on how the flow is started";
  if (/\bglobals\b/.test(operand)) return "it depends on the globals of the account";
  if (/\b(now|today)\b/.test(operand)) return "it depends on the time";
  return isDefault ? `${operand} always passes a test` : `no value of ${operand} was found that leads to it`;
}

/** The category of an earlier test with the same or wider words. */
function shadowingCategory(
  router: Extract<FlowRouter, { type: "switch" }>,
  category: FlowCategory,
): string | undefined {
  const index = router.cases.findIndex((one) => one.category === category.uuid);
  const own = router.cases[index];
  const words = new Set(own?.arguments.join(" ").toLowerCase().split(/\s+/));
  const earlier = router.cases.slice(0, Math.max(0, index)).find(
    (one) =>
      one.category !== category.uuid &&
      (one.type === "has_text" ||
        one.arguments
          .join(" ")
          .toLowerCase()
          .split(/\s+/)
          .some((word) => words.has(word)) ||
        (one.type.startsWith("has_number") && own?.type.startsWith("has_number") === true)),
  );
  return router.categories.find(({ uuid }) => uuid === earlier?.category)?.name;
}
