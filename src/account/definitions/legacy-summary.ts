import { type DependencyCollector, textsIn } from "./dependency-collector.js";
import { legacyBody } from "./legacy-body.js";
import { baseLanguage, baseText } from "./check-legacy.js";
import { type JsonMap, mapOf, mapsIn, type JsonCursor, textOf } from "./json-cursor.js";
import { ResultCollector } from "./result-collector.js";
import type { FlowResult } from "./flow-summary.js";
import { contactProperties } from "./vocabulary.js";

/** The results of a legacy flow: its rule sets with a label, each with the categories of its rules. */
export function legacyResults(flow: JsonCursor): FlowResult[] {
  const language = baseLanguage(flow);
  const results = new ResultCollector(legacySlug);
  for (const set of mapsIn(legacyBody(flow).at("rule_sets").value)) {
    const names = mapsIn(set["rules"]).map((rule) => baseText(rule["category"], language));
    results.add(set["label"], names, textOf(set["uuid"]));
  }
  return results.collected();
}

/**
 * Key of a label or field: lower case, runs of characters other than a to z and 0 to 9 as `_`
 * (docs/reference/flows.md#legacy-shape).
 */
export function legacySlug(label: string): string {
  return label
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_");
}

/** Collects the references in the actions, rule sets, tests and templates of a legacy flow. */
export function legacyDependencies(body: JsonCursor, references: DependencyCollector): void {
  for (const set of mapsIn(body.at("action_sets").value)) {
    for (const action of mapsIn(set["actions"])) addActionReferences(action, references);
    addTemplateReferences(set, references);
  }
  for (const set of mapsIn(body.at("rule_sets").value)) {
    const config = mapOf(set["config"]);
    references.addFlow(config?.["flow"]);
    references.addResthook(config?.["resthook"]);
    for (const rule of mapsIn(set["rules"])) addTestReferences(mapOf(rule["test"]), references);
    addTemplateReferences(set, references);
  }
}

function addActionReferences(action: JsonMap, references: DependencyCollector): void {
  references.addFlow(action["flow"]);
  references.addGroups(action["groups"]);
  references.addLabels(action["labels"]);
  if (action["type"] !== "save") return;
  const label = textOf(action["label"]);
  const key = textOf(action["field"]) ?? (label === undefined ? undefined : legacySlug(label));
  if (key !== undefined && !contactProperties.has(key)) references.addField(key, label);
}

function addTestReferences(test: JsonMap | undefined, references: DependencyCollector, level = 0): void {
  if (test?.["type"] === "in_group") references.addGroups([test["test"]]);
  if (level < 10) for (const inner of mapsIn(test?.["tests"])) addTestReferences(inner, references, level + 1);
}

/** `@contact.age`, `@(step.contact.age + 1)`, `@parent.contact.age` (docs/reference/flows.md#legacy-expressions). */
const fieldInTemplate = /(?<![\w.])(?:(?:step|flow|parent|child)\.)?contact\.([a-z]\w*)/gi;

function addTemplateReferences(value: unknown, references: DependencyCollector): void {
  for (const text of textsIn(value)) {
    if (!text.includes("@")) continue;
    for (const [, name = ""] of text.matchAll(fieldInTemplate)) {
      const key = name.toLowerCase();
      if (!contactProperties.has(key)) references.addField(key);
    }
  }
}
