import { type DependencyCollector, textsIn } from "./dependency-collector.js";
import { type JsonMap, mapOf, mapsIn, type JsonCursor, textOf } from "./json-cursor.js";
import { ResultCollector } from "./result-collector.js";
import type { FlowResult } from "./flow-summary.js";
import { actionForm } from "./vocabulary.js";

/** The results of a native flow: of its routers and actions, with their categories. */
export function nativeResults(flow: JsonCursor): FlowResult[] {
  const results = new ResultCollector(slugOf);
  for (const node of mapsIn(flow.at("nodes").value)) {
    const uuid = textOf(node["uuid"]);
    for (const action of mapsIn(node["actions"])) {
      if (action["type"] === "set_run_result") results.add(action["name"], [action["category"]], uuid);
      else if (actionForm(textOf(action["type"]) ?? "")?.result === true)
        results.add(action["result_name"], ["Success", "Failure"], uuid);
    }
    const router = mapOf(node["router"]);
    const names = mapsIn(router?.["categories"]).map((category) => category["name"]);
    results.add(router?.["result_name"], names, uuid);
  }
  return results.collected();
}

/** `Baby's Age ` → `baby_s_age` (docs/reference/flows.md#result-keys). */
export function slugOf(name: string): string {
  return name
    .trim()
    .replaceAll(/[^\p{L}\p{N}_]+/gu, "_")
    .toLowerCase();
}

/** Collects the references in the actions, router tests and templates of a native flow. */
export function nativeDependencies(flow: JsonCursor, references: DependencyCollector): void {
  for (const node of mapsIn(flow.at("nodes").value)) {
    for (const action of mapsIn(node["actions"])) addActionReferences(action, references);
    for (const one of mapsIn(mapOf(node["router"])?.["cases"])) {
      const [uuid, name] = Array.isArray(one["arguments"]) ? (one["arguments"] as unknown[]) : [];
      if (one["type"] === "has_group") references.addGroups([{ uuid, name }]);
    }
    addTemplateReferences(node, references);
  }
  addTemplateReferences(flow.at("localization").value, references);
}

function addActionReferences(action: JsonMap, references: DependencyCollector): void {
  references.addFlow(action["flow"]);
  references.addGroups(action["groups"]);
  references.addLabels(action["labels"]);
  const field = mapOf(action["field"]);
  references.addField(field?.["key"], field?.["name"]);
  references.addResthook(action["resthook"]);
}

/** `@fields.age`, `@(contact.fields.age + 1)`, `@parent.fields.age` (docs/reference/flows.md#context-roots). */
const fieldInTemplate = /(?<![\p{L}\p{N}_.])(?:(?:contact|parent|child)\.(?:contact\.)?)?fields\.(\w+)/giu;

function addTemplateReferences(value: unknown, references: DependencyCollector): void {
  for (const text of textsIn(value)) {
    if (!text.includes("@")) continue;
    for (const [, key] of text.matchAll(fieldInTemplate)) references.addField(key?.toLowerCase());
  }
}
