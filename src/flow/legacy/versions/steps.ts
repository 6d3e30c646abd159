import { type LegacyJson, mapMap, mapTexts } from "../json.js";
import type { LegacyFlow } from "../legacy-flow.js";
import { migrateVersion7Template } from "../expressions/version-7-template.js";
import { cleanGroupNames, dropEmptyActionSets, dropLostChannels } from "./action-sets.js";
import { makeWaitsExplicit } from "./explicit-waits.js";
import { type FieldTypes, formatDatesAndLocations } from "./formatted-values.js";
import { type FlowTypes, startFlowsOfOtherTypes } from "./flow-types.js";
import { type UuidOfId, replaceIds } from "./ids.js";
import { newLanguageCode } from "./language-codes.js";
import { readInputOfSplits, readWebhookResults, renameParent } from "./references.js";
import { version } from "./version.js";
import { moveWebhooks, splitWebhookActions } from "./webhooks.js";
import type { DerivedUuids } from "../derived-uuids.js";

/** Facts from outside the flow that the steps use. */
export interface Surroundings {
  readonly flowTypes: FlowTypes;
  readonly fieldTypes: FieldTypes;
  readonly idUuid: UuidOfId;
  readonly uuids: DerivedUuids;
}

/**
 * Brings a flow to the last legacy version (docs/reference/flows.md#legacy-versions). Steps that rewrite templates or
 * languages depend on the version of the flow. The others depend on what they find, since exports that do not say their
 * version have old shapes too.
 */
export function applySteps(flow: LegacyFlow, { flowTypes, fieldTypes, idUuid, uuids }: Surroundings): void {
  const isBefore = (major: number, minor?: number): boolean =>
    flow.version !== undefined && flow.version < version(major, minor);
  if (isBefore(10, 2)) {
    dropEmptyActionSets(flow);
    cleanGroupNames(flow);
  }
  if (flow.version === undefined || isBefore(5)) makeWaitsExplicit(flow, uuids);
  if (isBefore(8)) rewriteTemplates(flow, migrateVersion7Template);
  if (isBefore(9)) rewriteTemplates(flow, renameParent);
  replaceIds(flow, idUuid);
  dropLostChannels(flow);
  moveWebhooks(flow, isBefore(10));
  if (isBefore(11, 0)) formatDatesAndLocations(flow, fieldTypes);
  if (isBefore(11, 2)) renameLanguages(flow, isBefore(11, 1));
  if (isBefore(11, 4)) readInputOfSplits(flow);
  if (isBefore(11, 5)) readWebhookResults(flow);
  splitWebhookActions(flow, uuids);
  if (isBefore(11, 10)) startFlowsOfOtherTypes(flow, flowTypes, uuids);
}

function rewriteTemplates(flow: LegacyFlow, rewrite: (text: string) => string): void {
  for (const set of flow.actionSets) set.actions = set.actions.map((action) => mapMap(action, rewrite));
  for (const set of flow.ruleSets) {
    set.operand = rewrite(set.operand);
    set.webhook = rewrite(set.webhook);
    set.config = mapMap(set.config, rewrite);
    for (const rule of set.rules) rule.test = mapMap(rule.test, rewrite);
  }
}

/** Before 11.1 all language codes are ISO 639-2; in 11.1 only that of the flow. */
function renameLanguages(flow: LegacyFlow, isBeforeTexts: boolean): void {
  flow.language = newLanguageCode(flow.language);
  if (!isBeforeTexts) return;
  for (const set of flow.actionSets) set.actions = set.actions.map((action) => renameLanguagesOf(action));
  for (const { rules } of flow.ruleSets) {
    for (const rule of rules) {
      rule.category = new Map([...rule.category].map(([language, text]) => [newLanguageCode(language), text]));
      rule.test = renameLanguagesOf(rule.test);
    }
  }
}

/** Properties of actions and tests whose value is a text by language, or a list of them. */
const localized: ReadonlySet<string> = new Set(["msg", "media", "recording", "quick_replies", "test"]);

function renameLanguagesOf(map: LegacyJson): LegacyJson {
  const entries = Object.entries(map).map(([key, value]): [string, unknown] => {
    if (key === "lang") return [key, mapTexts(value, newLanguageCode)];
    return [key, localized.has(key) ? renameKeys(value) : value];
  });
  return Object.fromEntries(entries);
}

/** An object counts as a text by language if all its keys have three letters or are `base`. */
function renameKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renameKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  if (!entries.every(([key]) => /^[a-z]{2,3}$/i.test(key) || key === "base")) return value;
  return Object.fromEntries(entries.map(([key, text]) => [newLanguageCode(key), text]));
}
