import { generationOf } from "../../flow/index.js";
import { type AccountData, emptyAccount, type GroupData } from "../../wire/index.js";
import { readCampaign } from "./read-campaign.js";
import { readFields } from "./read-fields.js";
import type { FlowSummary } from "./flow-summary.js";
import { type ExportProblem, JsonCursor, textOf } from "./json-cursor.js";
import { type ReadFlow, readFlow } from "./read-flow.js";
import { ExportContents } from "./export-contents.js";
import { readTrigger } from "./read-trigger.js";

/** The content of an export, and its problems. */
export interface Imported {
  /** Fields, groups, labels, flows, campaigns, triggers and resthooks; other lists are empty. */
  readonly account: AccountData;
  /** What was left out, and why. */
  readonly problems: readonly ExportProblem[];
}

/**
 * Reads an export of a real account, versions 3 to 14, also with flows of both generations
 * (docs/reference/flows.md#export-files). A single flow definition counts as an export of that flow.
 *
 * A flow that breaks the rules of loading is a problem and is left out, with the triggers and campaign events that need
 * it. Groups, fields, labels and resthooks that are mentioned but not listed are added: exports before version 11 list
 * none. Definitions are not changed. Never throws.
 *
 * @param json - the result of JSON.parse
 */
export function accountOfDefinitions(json: unknown): Imported {
  const problems: ExportProblem[] = [];
  const whole = new JsonCursor(json, problems);
  const top = whole.neededMap();
  if (top === undefined) return { account: emptyAccount, problems };
  if (top["flows"] === undefined && generationOf(json) !== undefined) {
    const flow = readFlow(whole);
    return { account: accountOf(new ExportContents({ flows: flow === undefined ? [] : [flow] })), problems };
  }
  const version = whole.at("version");
  if (isTooOld(version)) return { account: emptyAccount, problems };
  const contents = new ExportContents({
    fields: readFields(whole.at("fields")),
    groups: readGroups(whole.at("groups")),
    flows: readFlows(whole.at("flows"), version.value),
  });
  const campaigns = whole.at("campaigns").items();
  const triggers = whole.at("triggers").items();
  const own = {
    campaigns: campaigns.flatMap((campaign) => readCampaign(campaign, contents) ?? []),
    triggers: triggers.flatMap((trigger) => readTrigger(trigger, contents) ?? []),
  };
  return { account: { ...accountOf(contents), ...own }, problems };
}

/** The listed entries, and those that only flows mention. */
function accountOf(contents: ExportContents): AccountData {
  for (const { summary } of contents.flows) addDependencies(summary, contents);
  const { fields, groups, labels, resthooks } = contents;
  return { ...emptyAccount, fields, groups, labels, resthooks, flows: contents.flows.map(({ data }) => data) };
}

function addDependencies({ dependencies }: FlowSummary, contents: ExportContents): void {
  for (const group of dependencies.groups) contents.group(group);
  for (const label of dependencies.labels) contents.addLabel(label);
  for (const slug of dependencies.resthooks) contents.addResthook(slug);
  for (const { key, name } of dependencies.fields) {
    // A key that occurs only in templates may be a typing error, so no field is added for it; actions that set a field
    // also give its name.
    if (name !== null) contents.field({ key, label: name, type: "text" });
  }
}

/** Whether the version is before 3, which adds a problem. A missing version is accepted. */
function isTooOld(version: JsonCursor): boolean {
  if (version.isAbsent) return false;
  const number = typeof version.value === "string" ? Number.parseFloat(version.value) : version.value;
  if (typeof number === "number" && number >= 3) return false;
  version.addProblem("must be 3 or later");
  return true;
}

/** Keeps the first of several flows with the same UUID. */
function readFlows(list: JsonCursor, version: unknown): ReadFlow[] {
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
    return [{ uuid, name: name.trim(), query: query.trim() === "" ? null : query }];
  });
}
