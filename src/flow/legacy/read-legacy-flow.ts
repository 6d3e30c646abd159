import { hashUuid } from "./derived-uuids.js";
import { type LegacyJson, mapOf, mapsOf, textOf, valueAt, wholeNumberOf } from "./json.js";
import type { ActionSet, LegacyFlow, Rule, RuleSet } from "./legacy-flow.js";
import { readTexts, type Texts } from "./texts.js";
import type { Version } from "./versions/version.js";

/**
 * Reads a legacy definition. Missing keys, nulls, numbers as texts and lists as objects are accepted, as they occur in
 * real exports. Up to version 6 the sets are under `definition`, and name, id and expiry beside it.
 */
export function readLegacyFlow(json: LegacyJson, version: Version | undefined): LegacyFlow {
  const body = mapOf(json["definition"]) ?? json;
  const metadata = mapOf(body["metadata"]) ?? {};
  const property = (key: string): unknown => valueAt(metadata, key) ?? valueAt(body, key) ?? valueAt(json, key);
  const language = textOf(body["base_language"] ?? json["base_language"]);
  return {
    version,
    uuid: textOf(property("uuid")) || idUuid("flow", property("id")),
    name: textOf(property("name")),
    type: textOf(valueAt(body, "flow_type") ?? valueAt(json, "flow_type")),
    language: language === "" ? "base" : language,
    entry: textOf(valueAt(body, "entry") ?? valueAt(json, "entry")),
    revision: wholeNumberOf(property("revision")),
    expiresMinutes: wholeNumberOf(property("expires")),
    notes: mapsOf(metadata["notes"]),
    actionSets: mapsOf(body["action_sets"]).map(readActionSet),
    ruleSets: mapsOf(body["rule_sets"]).map(readRuleSet),
  };
}

/** The UUID of a row that an old export knows by its number (docs/reference/flows.md#legacy-versions); empty: none. */
export function idUuid(kind: string, id: unknown): string {
  const text = textOf(id);
  return text === "" ? "" : hashUuid(`${kind}/${text}`);
}

function readActionSet(json: LegacyJson): ActionSet {
  return {
    uuid: textOf(json["uuid"]),
    x: wholeNumberOf(json["x"]),
    y: wholeNumberOf(json["y"]),
    destination: textOf(json["destination"]),
    exitUuid: textOf(json["exit_uuid"]),
    actions: mapsOf(json["actions"]),
  };
}

function readRuleSet(json: LegacyJson): RuleSet {
  return {
    uuid: textOf(json["uuid"]),
    x: wholeNumberOf(json["x"]),
    y: wholeNumberOf(json["y"]),
    label: textOf(json["label"]),
    type: textOf(json["ruleset_type"]),
    responseType: textOf(json["response_type"]),
    operand: textOf(json["operand"]),
    finishedKey: textOf(json["finished_key"]),
    config: mapOf(json["config"]) ?? {},
    webhook: textOf(json["webhook"]),
    webhookAction: textOf(json["webhook_action"]),
    rules: mapsOf(json["rules"]).map(readRule),
  };
}

function readRule(json: LegacyJson): Rule {
  const test = mapOf(json["test"]) ?? {};
  return {
    uuid: textOf(json["uuid"]),
    category: readCategory(json["category"], test),
    test,
    destination: textOf(json["destination"]),
  };
}

/** Old rules that test for a range need no category; its name is the range. */
function readCategory(value: unknown, test: LegacyJson): Texts {
  const category = readTexts(value);
  if (category.size > 0 || test["type"] !== "between") return category;
  return new Map([["base", `${textOf(test["min"])}-${textOf(test["max"])}`]]);
}
