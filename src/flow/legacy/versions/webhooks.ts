import type { DerivedUuids } from "../derived-uuids.js";
import { type LegacyJson, textOf, valueAt } from "../json.js";
import type { ActionSet, LegacyFlow, Rule, RuleSet } from "../legacy-flow.js";
import { moveDown } from "./action-sets.js";

/**
 * Version 10: URL and method of a webhook rule set are in its config, and it splits by success and failure. Both lead
 * where the first rule led.
 *
 * @param isOlder - whether the flow states a version before 10
 */
export function moveWebhooks(flow: LegacyFlow, isOlder: boolean): void {
  for (const set of flow.ruleSets) {
    const hasStatus = set.rules.some(({ test }) => test["type"] === "webhook_status");
    if (set.type !== "webhook" || hasStatus || !(isOlder || set.webhook !== "")) continue;
    set.config = {
      ...set.config,
      webhook: set.webhook || valueAt(set.config, "webhook"),
      webhook_action: set.webhookAction || valueAt(set.config, "webhook_action"),
    };
    const [first] = set.rules;
    set.rules = statusRules(flow.language, [first?.uuid ?? "", ""], first?.destination ?? "");
  }
}

function statusRules(language: string, [success, failure]: readonly [string, string], destination: string): Rule[] {
  const rule = (uuid: string, name: string): Rule => ({
    uuid,
    category: new Map([[language, name]]),
    test: { type: "webhook_status", status: name.toLowerCase() },
    destination,
  });
  return [rule(success, "Success"), rule(failure, "Failure")];
}

/**
 * Version 11.7: `api` actions become webhook rule sets, so an action set with such actions becomes a chain of sets. The
 * first of the chain keeps its UUID.
 */
export function splitWebhookActions(flow: LegacyFlow, uuids: DerivedUuids): void {
  let count = 0;
  for (const set of flow.actionSets.slice()) {
    const parts = partsOf(set.actions);
    if (!parts.some(isWebhook)) continue;
    const chain: (ActionSet | RuleSet)[] = [];
    let { destination } = set;
    // From the last to the first, as each leads to the one after it. The labels count in this order too.
    for (const [place, part] of [...parts.entries()].toReversed()) {
      const uuid = place === 0 ? set.uuid : uuids.at("split", set.uuid, place);
      const placed = { uuid, x: set.x, y: set.y };
      if (isWebhook(part)) {
        const label = `Migrated Webhook ${++count}`;
        const rules = statusRules(flow.language, [uuids.at("success", uuid), uuids.at("failure", uuid)], destination);
        const ruleSet = { ...placed, ...blankRuleSet, label, config: webhookConfig(part), rules };
        flow.ruleSets.push(ruleSet);
        chain.unshift(ruleSet);
      } else {
        const actionSet = { ...placed, destination, exitUuid: uuids.at("exit", uuid), actions: part };
        flow.actionSets.push(actionSet);
        chain.unshift(actionSet);
      }
      destination = uuid;
    }
    flow.actionSets = flow.actionSets.filter((one) => one !== set);
    spread(flow, set, chain);
  }
}

const blankRuleSet = {
  type: "webhook",
  responseType: "",
  operand: "@step.value",
  finishedKey: "",
  webhook: "",
  webhookAction: "",
} as const;

/** One webhook action, or other actions between two of them. */
type TemplatePart = LegacyJson | LegacyJson[];

function isWebhook(part: TemplatePart): part is LegacyJson {
  return !Array.isArray(part);
}

function partsOf(actions: readonly LegacyJson[]): TemplatePart[] {
  const parts: TemplatePart[] = [];
  for (const action of actions) {
    const last = parts.at(-1);
    if (action["type"] === "api") parts.push(action);
    else if (Array.isArray(last)) last.push(action);
    else parts.push([action]);
  }
  return parts;
}

function webhookConfig(action: LegacyJson): LegacyJson {
  return {
    webhook: textOf(action["webhook"]),
    webhook_action: textOf(action["action"]) || "POST",
    webhook_headers: action["webhook_headers"] ?? [],
  };
}

/** Makes room in the editor for the sets that replace one, and places them below each other. */
function spread(flow: LegacyFlow, replaced: ActionSet, chain: readonly (ActionSet | RuleSet)[]): void {
  if (chain.length < 2) return;
  const heights = chain.map((set) => ("actions" in set ? set.actions.length * 75 + 75 : 100));
  const height = heights.reduce((sum, one) => sum + one, 0);
  moveDown(flow, replaced.y + 1, height - replaced.actions.length * 60);
  let below = 0;
  for (const [place, set] of chain.entries()) {
    set.y += below;
    below += heights[place] ?? 0;
  }
}
