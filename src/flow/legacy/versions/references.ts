import { scanTemplate } from "../expressions/scan-template.js";
import { mapMap, mapOf, mapTexts } from "../json.js";
import type { LegacyFlow } from "../legacy-flow.js";
import { legacyResultKey } from "../result-key.js";

/** Version 9: the parent run was `extra.flow`, and its contact `extra.contact`. */
export function renameParent(template: string): string {
  if (!template.includes("extra.")) return template;
  const rename = (text: string): string =>
    text.replaceAll(/(?<![\w.])extra\.(flow|contact)(?!\w)/gi, (_match, name: string) =>
      name.toLowerCase() === "flow" ? "parent" : "parent.contact",
    );
  return scanTemplate(template)
    .map(({ kind, text }) => {
      if (kind === "text") return text;
      return kind === "name" ? `@${rename(text)}` : `@(${rename(text)})`;
    })
    .join("");
}

/** Rewrites the messages of actions of some types, in all languages. */
export function rewriteMessages(flow: LegacyFlow, types: readonly unknown[], rewrite: (text: string) => string): void {
  for (const { actions } of flow.actionSets) {
    for (const action of actions) {
      if (types.includes(action["type"])) action["msg"] = mapTexts(action["msg"], rewrite);
    }
  }
}

const sending = ["reply", "send", "say", "email"] as const;

/** Version 11.4: the text of a result of a split without wait becomes its operand, so messages read the input instead. */
export function readInputOfSplits(flow: LegacyFlow): void {
  const splits = flow.ruleSets.filter(({ type }) => type !== "" && !type.startsWith("wait_"));
  const keys = new Set(splits.map(({ label }) => legacyResultKey(label)));
  rewriteMessages(flow, sending, (text) =>
    text.replaceAll(/(?<!\w)flow\.(\w+)\.text(?!\w)/gi, (match, key: string) =>
      keys.has(key.toLowerCase()) ? "step.value" : match,
    ),
  );
}

/** Version 11.5: the answer of a webhook or resthook moved from the value of its result to its `extra`. */
export function readWebhookResults(flow: LegacyFlow): void {
  const isCall = (type: string): boolean => type === "webhook" || type === "resthook";
  const keys = new Set(flow.ruleSets.filter(({ type }) => isCall(type)).map(({ label }) => legacyResultKey(label)));
  for (const { type, label } of flow.ruleSets) if (!isCall(type)) keys.delete(legacyResultKey(label));
  keys.delete("");
  if (keys.size === 0) return;
  const rewrite = (text: string): string =>
    text.replaceAll(/(?<!\w)flow\.(\w+)(?:\.value(?!\w))?(?!\w|\.\w)/gi, (match, key: string) =>
      keys.has(key.toLowerCase()) ? `extra.${key}` : match,
    );
  rewriteMessages(flow, sending, rewrite);
  for (const { actions } of flow.actionSets) {
    for (const action of actions) {
      if (action["type"] === "save") action["value"] = mapTexts(action["value"], rewrite);
      if (action["type"] === "api") action["webhook"] = mapTexts(action["webhook"], rewrite);
    }
  }
  for (const set of flow.ruleSets) {
    const operand = rewrite(set.operand);
    // The type `flow_field` allows no other operand than a result of the flow.
    if (operand !== set.operand && set.type === "flow_field") set.type = "expression";
    set.operand = operand;
    set.config["webhook"] = mapTexts(set.config["webhook"], rewrite);
    for (const { test } of set.rules) {
      const texts = mapOf(test["test"]);
      if (texts !== undefined && test["type"] !== "in_group") test["test"] = mapMap(texts, rewrite);
    }
  }
}
