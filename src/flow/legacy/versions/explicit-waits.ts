import { ownValue } from "../../../wire/index.js";
import type { DerivedUuids } from "../derived-uuids.js";
import type { LegacyFlow, RuleSet } from "../legacy-flow.js";
import { moveDown } from "./action-sets.js";

/** Legacy letters of the rule sets of voice flows that wait for key presses or for a recording. */
const typesByLetter: Readonly<Record<string, string>> = { K: "wait_digits", M: "wait_digit", R: "wait_recording" };

/**
 * Gives each rule set a type. Before version 5 all rule sets with an operand of the message waited, and called their
 * webhook themselves. So a wait and a webhook get rule sets of their own, before the one that splits.
 *
 * @see docs/reference/flows.md#legacy-versions
 */
export function makeWaitsExplicit(flow: LegacyFlow, uuids: DerivedUuids): void {
  // The loop reads a copy: rule sets that it inserts have a type already.
  for (const set of flow.ruleSets.slice()) {
    if (set.type !== "" || set.responseType === "") continue;
    const { webhook, webhookAction } = set;
    set.webhook = "";
    set.webhookAction = "";
    const operand = set.operand.trim() === "" ? "@step.value" : set.operand.trim();
    const isMessage = readsMessage(operand);
    set.type = isMessage ? typeOfMessageSplit(operand, set.responseType) : typeOfSplit(operand);
    if (isMessage ? set.type === "expression" : webhook !== "") {
      insertBefore(flow, set, { ...set, type: "wait_message", label: `${set.label} Response` }, uuids);
    }
    if (webhook !== "") {
      const call = { ...set, type: "webhook", label: `${set.label} Webhook`, webhook, webhookAction };
      insertBefore(flow, set, call, uuids);
    }
  }
}

function readsMessage(operand: string): boolean {
  return operand.includes("@step") || (operand.startsWith("=(") && operand.includes("step"));
}

function typeOfMessageSplit(operand: string, letter: string): string {
  return ownValue(typesByLetter, letter) ?? (operand === "@step.value" ? "wait_message" : "expression");
}

function typeOfSplit(operand: string): string {
  if (/[ |]/.test(operand) || operand === "@contact.groups") return "expression";
  if (operand.startsWith("@contact.")) return "contact_field";
  return operand.startsWith("@flow.") ? "flow_field" : "expression";
}

/** Inserts a rule set that takes the place and UUID of `next`, and leads to it whatever the answer is. */
function insertBefore(flow: LegacyFlow, next: RuleSet, inserted: RuleSet, uuids: DerivedUuids): void {
  const { uuid } = next;
  next.uuid = uuids.at("moved", uuid, inserted.type);
  const rules = inserted.rules.filter((rule) => rule.test["type"] === "true");
  const others = rules.length > 0 ? rules : [{ uuid: "", category: new Map<string, string>() }];
  moveDown(flow, inserted.y, 100);
  flow.ruleSets.push({
    ...inserted,
    uuid,
    operand: "@step.value",
    rules: others.map((rule) => ({
      uuid: rule.uuid,
      category: new Map([...rule.category, [flow.language, "All Responses"]]),
      test: { type: "true" },
      destination: next.uuid,
    })),
  });
}
