import { type DependencyCollector, textsIn } from "./dependency-collector.js";
import { legacyBody } from "./generation.js";
import { baseLanguage, baseText } from "./check-legacy.js";
import { type JsonMap, mapOf, mapsIn, type JsonCursor, textOf } from "./json-cursor.js";
import { ResultCollector } from "./result-collector.js";
import type { FlowResult } from "./flow-summary.js";
import { contactProperties } from "./vocabulary.js";

/** What the rule sets of a legacy flow save: those that have a label, by the categories of their rules. */
export function legacyResults(flow: JsonCursor): FlowResult[] {
  const language = baseLanguage(flow);
  const results = new ResultCollector(legacySlug);
  for (const set of mapsIn(legacyBody(flow).at("rule_sets").value)) {
    const names = mapsIn(set["rules"]).map((rule) => baseText(rule["category"], language));
    results.add(set["label"], names, textOf(set["uuid"]));
  }
  return results.collected();
}

/** Key of a label or field: lower case, runs of characters other than a to z and 0 to 9 as `_` (flows.md 9.1). */
export function legacySlug(label: string): string {
  return label
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_");
}

/** What a legacy flow mentions: in its actions, its rule sets and their tests, and in templates. */
export function legacyDependencies(body: JsonCursor, found: DependencyCollector): void {
  for (const set of mapsIn(body.at("action_sets").value)) {
    for (const action of mapsIn(set["actions"])) actionMentions(action, found);
    templateMentions(set, found);
  }
  for (const set of mapsIn(body.at("rule_sets").value)) {
    const config = mapOf(set["config"]);
    found.addFlow(config?.["flow"]);
    found.addResthook(config?.["resthook"]);
    for (const rule of mapsIn(set["rules"])) testMentions(mapOf(rule["test"]), found);
    templateMentions(set, found);
  }
}

function actionMentions(action: JsonMap, found: DependencyCollector): void {
  found.addFlow(action["flow"]);
  found.addGroups(action["groups"]);
  found.addLabels(action["labels"]);
  if (action["type"] !== "save") return;
  const label = textOf(action["label"]);
  const key = textOf(action["field"]) ?? (label === undefined ? undefined : legacySlug(label));
  if (key !== undefined && !contactProperties.has(key)) found.addField(key, label);
}

function testMentions(test: JsonMap | undefined, found: DependencyCollector, level = 0): void {
  if (test?.["type"] === "in_group") found.addGroups([test["test"]]);
  if (level < 10) for (const inner of mapsIn(test?.["tests"])) testMentions(inner, found, level + 1);
}

/** `@contact.age`, `@(step.contact.age + 1)`, `@parent.contact.age` (flows.md 9.4). */
const fieldInTemplate = /(?<![\w.])(?:(?:step|flow|parent|child)\.)?contact\.([a-z]\w*)/gi;

function templateMentions(value: unknown, found: DependencyCollector): void {
  for (const text of textsIn(value)) {
    if (!text.includes("@")) continue;
    for (const [, name = ""] of text.matchAll(fieldInTemplate)) {
      const key = name.toLowerCase();
      if (!contactProperties.has(key)) found.addField(key);
    }
  }
}
