import { type AccountData, emptyAccount, type GroupData } from "../../wire/index.js";
import { readCampaign } from "./read-campaign.js";
import { readFields } from "./read-fields.js";
import type { FlowSummary } from "./flow-summary.js";
import { generationOf } from "./generation.js";
import { type DefinitionProblem, JsonCursor, textOf } from "./json-cursor.js";
import { type ReadFlow, readFlow } from "./read-flow.js";
import { ExportContents } from "./export-contents.js";
import { readTrigger } from "./read-trigger.js";

/** What an export of an account holds, and what of it could not be read. */
export interface Imported {
  /** Fields, groups, labels, flows, campaigns, triggers and resthooks; the rest is empty. */
  readonly account: AccountData;
  /** What of it was left out, and why. */
  readonly problems: readonly DefinitionProblem[];
}

/**
 * Reads an export of a real account, of versions 3 to 14, old and new flows mixed (flows.md 1). A flow's definition
 * alone stands for an export of that flow.
 *
 * Each flow is held against the rules of loading; one that breaks them is told and left out, and so is a trigger or
 * campaign event that cannot do without it. Groups, fields, labels and resthooks that are mentioned and not listed are
 * added: exports before version 11 list none. Definitions stay as they were written. Never throws.
 *
 * @param json - what JSON.parse gave
 */
export function accountOfDefinitions(json: unknown): Imported {
  const problems: DefinitionProblem[] = [];
  const whole = new JsonCursor(json, problems);
  const top = whole.neededMap();
  if (top === undefined) return { account: emptyAccount, problems };
  if (top["flows"] === undefined && generationOf(json) !== undefined) {
    const flow = readFlow(whole);
    return { account: accountOf(new ExportContents({ flows: flow === undefined ? [] : [flow] })), problems };
  }
  const version = versionOf(whole.at("version"));
  if (version === null) return { account: emptyAccount, problems };
  const registry = new ExportContents({
    fields: readFields(whole.at("fields")),
    groups: readGroups(whole.at("groups")),
    flows: readFlows(whole.at("flows"), version),
  });
  const campaigns = whole.at("campaigns").items();
  const triggers = whole.at("triggers").items();
  const own = {
    campaigns: campaigns.flatMap((campaign) => readCampaign(campaign, registry) ?? []),
    triggers: triggers.flatMap((trigger) => readTrigger(trigger, registry) ?? []),
  };
  return { account: { ...accountOf(registry), ...own }, problems };
}

/** What the flows are, and what they mention beside what is listed. */
function accountOf(registry: ExportContents): AccountData {
  for (const { summary } of registry.flows) addDependencies(summary, registry);
  const { fields, groups, labels, resthooks } = registry;
  return { ...emptyAccount, fields, groups, labels, resthooks, flows: registry.flows.map(({ data }) => data) };
}

function addDependencies({ dependencies }: FlowSummary, registry: ExportContents): void {
  for (const group of dependencies.groups) registry.group(group);
  for (const label of dependencies.labels) registry.addLabel(label);
  for (const slug of dependencies.resthooks) registry.addResthook(slug);
  for (const { key, name } of dependencies.fields) {
    // A key that stands in templates only may be a slip; whoever sets a field gives its name as well.
    if (name !== null) registry.field({ key, label: name, type: "text" });
  }
}

/** @returns undefined when the export does not say; null when it is too old, which was told */
function versionOf(version: JsonCursor): number | undefined | null {
  if (version.isAbsent) return undefined;
  const number = typeof version.value === "string" ? Number.parseFloat(version.value) : version.value;
  if (typeof number === "number" && number >= 3) return number;
  version.addProblem("must be 3 or later");
  return null;
}

/** Of flows with the same UUID the first stays. */
function readFlows(list: JsonCursor, version: number | undefined): ReadFlow[] {
  const seen = new Set<string>();
  return list.items().flatMap((part) => {
    const flow = readFlow(part, version);
    const uuid = flow?.data.uuid;
    if (flow === undefined || uuid === undefined) return flow ?? [];
    if (seen.has(uuid)) return part.addProblem(`has the UUID of another flow: '${uuid}'`) ?? [];
    seen.add(uuid);
    return flow;
  });
}

function readGroups(list: JsonCursor): GroupData[] {
  return list.items().flatMap((group) => {
    const name = group.neededMap() === undefined ? undefined : group.at("name").neededText();
    if (name === undefined) return [];
    const uuid = textOf(group.at("uuid").value);
    const query = group.at("query").text() ?? "";
    return [{ ...(uuid !== undefined && { uuid }), name: name.trim(), query: query.trim() === "" ? null : query }];
  });
}
