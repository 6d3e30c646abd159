import { type DependencyCollector, textsIn } from "./dependency-collector.js";
import { type JsonMap, mapOf, mapsIn, type JsonCursor, textOf } from "./json-cursor.js";
import { ResultCollector } from "./result-collector.js";
import type { FlowResult } from "./flow-summary.js";

/** Actions that save how their call went (flows.md 4). */
const callers = new Set(["call_webhook", "call_resthook", "transfer_airtime", "open_ticket", "call_classifier"]);

/** What the nodes of a native flow save: routers by their categories, actions by theirs. */
export function nativeResults(flow: JsonCursor): FlowResult[] {
  const results = new ResultCollector(slugOf);
  for (const node of mapsIn(flow.at("nodes").value)) {
    const uuid = textOf(node["uuid"]);
    for (const action of mapsIn(node["actions"])) {
      if (action["type"] === "set_run_result") results.add(action["name"], [action["category"]], uuid);
      else if (callers.has(textOf(action["type"]) ?? ""))
        results.add(action["result_name"], ["Success", "Failure"], uuid);
    }
    const router = mapOf(node["router"]);
    const names = mapsIn(router?.["categories"]).map((category) => category["name"]);
    results.add(router?.["result_name"], names, uuid);
  }
  return results.collected();
}

/** `Baby's Age ` → `baby_s_age` (flows.md 5, "Result slug"). */
export function slugOf(name: string): string {
  return name
    .trim()
    .replaceAll(/[^\p{L}\p{N}_]+/gu, "_")
    .toLowerCase();
}

/** What a native flow mentions: in its actions, in the tests of its routers, and in templates. */
export function nativeDependencies(flow: JsonCursor, found: DependencyCollector): void {
  for (const node of mapsIn(flow.at("nodes").value)) {
    for (const action of mapsIn(node["actions"])) actionMentions(action, found);
    for (const one of mapsIn(mapOf(node["router"])?.["cases"])) {
      const [uuid, name] = Array.isArray(one["arguments"]) ? (one["arguments"] as unknown[]) : [];
      if (one["type"] === "has_group") found.addGroups([{ uuid, name }]);
    }
    templateMentions(node, found);
  }
  templateMentions(flow.at("localization").value, found);
}

function actionMentions(action: JsonMap, found: DependencyCollector): void {
  found.addFlow(action["flow"]);
  found.addGroups(action["groups"]);
  found.addLabels(action["labels"]);
  const field = mapOf(action["field"]);
  found.addField(field?.["key"], field?.["name"]);
  found.addResthook(action["resthook"]);
}

/** `@fields.age`, `@(contact.fields.age + 1)`, `@parent.fields.age` (flows.md 7.5). */
const fieldInTemplate = /(?<![\p{L}\p{N}_.])(?:(?:contact|parent|child)\.(?:contact\.)?)?fields\.(\w+)/giu;

function templateMentions(value: unknown, found: DependencyCollector): void {
  for (const text of textsIn(value)) {
    if (!text.includes("@")) continue;
    for (const [, key] of text.matchAll(fieldInTemplate)) found.addField(key?.toLowerCase());
  }
}
