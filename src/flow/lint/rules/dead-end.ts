import type { FlowCategory, FlowDefinition, FlowNode, FlowRouter } from "../../definition.js";
import type { Problem } from "../finding.js";
import type { LintedFlow } from "../linted-flow.js";
import type { LintRule } from "../rule.js";

/**
 * Questions where an answer that fits no test ends the flow, or leads back to the question, without a word. Not where
 * the author lets tested answers end the same way, nor where all answers do.
 */
export const deadEnd: LintRule = {
  name: "dead-end",
  level: "warning",
  summary: "a question that gives no reply to an answer that no test expects",
  *check(flow) {
    for (const node of flow.definition.nodes) {
      const problem = flow.reachable.has(node.uuid) ? problemOf(flow, node) : undefined;
      if (problem !== undefined) yield { node: node.uuid, ...problem };
    }
  },
};

/** Tests that nearly every answer passes. */
const passesAll: ReadonlySet<string> = new Set(["has_text", "has_value"]);

/** Actions that the contact notices. */
const says: ReadonlySet<string> = new Set(["send_msg", "say_msg", "play_audio"]);

function problemOf(flow: LintedFlow, node: FlowNode): Omit<Problem, "node"> | undefined {
  const { router } = node;
  if (router?.type !== "switch" || router.wait?.type !== "msg" || router.cases.length === 0) return undefined;
  if (router.cases.some(({ type }) => passesAll.has(type))) return undefined;
  // An operand that is not the answer splits by something else, after any text.
  if (!/^@(\()?\s*\w*\(?\s*input\b|^@\(.*\binput\b/.test(router.operand.trim())) return undefined;
  const other = router.categories.find(({ uuid }) => uuid === router.defaultCategory);
  if (other === undefined || router.cases.some(({ category }) => category === other.uuid)) return undefined;
  const speaks = node.actions.some(({ type }) => says.has(type));
  // Nothing was asked: the text that started the flow is sorted.
  if (!speaks && node === flow.definition.nodes[0]) return undefined;
  const tested = testedCategories(router);
  const target = destinationOf(node, other);
  const targets = tested.map((category) => destinationOf(node, category));
  // Then the question is the last one, or an open one.
  if (targets.every((one) => one === target)) return undefined;
  const at = `category ${other.name}`;
  if (target === node.uuid) {
    // The node asks itself before it waits, so it asks again.
    if (speaks) return undefined;
    // The author has drawn this way back.
    return {
      at,
      text: `answers of category '${other.name}' get no reply: the flow waits for another answer`,
      fix: `connect '${other.name}' to a message that asks again`,
      level: "info",
    };
  }
  if (target !== null) return undefined;
  const isMeant = targets.includes(null) || isSecondAttempt(flow, node, new Set(targets));
  const isEntered = flow.callers().length > 0;
  const text = isEntered
    ? `answers of category '${other.name}' get no reply: this flow ends, and the flow that entered it continues`
    : `answers of category '${other.name}' get no reply: the conversation ends`;
  return {
    at,
    text,
    fix: `connect '${other.name}' to a message that asks again`,
    ...((isMeant || isEntered) && { level: "info" }),
  };
}

/** Whether another question with the same ways on leads here for its other answers: it has asked once already. */
function isSecondAttempt({ definition }: LintedFlow, node: FlowNode, targets: ReadonlySet<string | null>): boolean {
  return definition.nodes.some((earlier) => {
    const { router } = earlier;
    if (earlier === node || router?.type !== "switch" || router.wait?.type !== "msg") return false;
    const other = router.categories.find(({ uuid }) => uuid === router.defaultCategory);
    if (other === undefined) return false;
    const ways = testedCategories(router).map((category) => destinationOf(earlier, category));
    return (
      ways.length > 0 &&
      ways.every((way) => targets.has(way)) &&
      leadsTo(definition, destinationOf(earlier, other), node.uuid)
    );
  });
}

/** Whether nodes that do not ask lead from one node to another. */
function leadsTo({ nodesByUuid }: FlowDefinition, from: string | null, to: string): boolean {
  const seen = new Set<string>();
  for (let uuid = from; uuid !== null && !seen.has(uuid);) {
    if (uuid === to) return true;
    seen.add(uuid);
    const node = nodesByUuid.get(uuid);
    if (node === undefined || node.router !== undefined) return false;
    uuid = node.exits[0]?.destination ?? null;
  }
  return false;
}

function testedCategories(router: Extract<FlowRouter, { type: "switch" }>): readonly FlowCategory[] {
  const tested = new Set(router.cases.map(({ category }) => category));
  return router.categories.filter(({ uuid }) => tested.has(uuid));
}

function destinationOf({ exits }: FlowNode, { exit }: FlowCategory): string | null {
  return exits.find(({ uuid }) => uuid === exit)?.destination ?? null;
}
