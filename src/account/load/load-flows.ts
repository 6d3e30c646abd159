import {
  type CampaignData,
  type CampaignEventData,
  normaliseParams,
  type RunData,
  type TriggerData,
} from "../../wire/index.js";
import { type CampaignEventContent, EVENTS_MAX, systemDates } from "../campaign-events.js";
import type { CampaignRow } from "../campaigns.js";
import type { GroupRow } from "../tables/group-table.js";
import { loadSchedule } from "./load-schedule.js";
import { ENTRY_UNITS } from "./load-units.js";
import { asUuid, type Resolver } from "./resolver.js";

/**
 * Adds a campaign. An existing one with its UUID or name gets the new group, and the new events in addition to its
 * own.
 */
export function* loadCampaign(data: CampaignData, resolver: Resolver): Generator<number, void> {
  const { account, tables } = resolver;
  const called = `campaign '${data.name}'`;
  const group = resolver.group(data.group)?.id;
  if (group === undefined) return resolver.addProblem(`${called} is left out: there is no group ${data.group}`);
  const uuid = asUuid(data.uuid);
  const known = (uuid === undefined ? undefined : tables.campaigns.byUuid(uuid)) ?? tables.campaigns.byName(data.name);
  const { name, isArchived } = data;
  if (known === undefined) resolver.countAdded("campaigns");
  const campaign =
    known === undefined
      ? account.campaigns.add({ uuid, name, group, isArchived })
      : account.campaigns.change(known, { group, isArchived });
  yield ENTRY_UNITS;
  const essences = new Set(tables.campaignEvents.ofCampaign(campaign.id).map(essenceOf));
  for (const [index, event] of data.events.entries()) {
    loadEvent(event, { campaign, called: `${called}: event ${index + 1}`, resolver, essences });
    yield ENTRY_UNITS;
  }
}

function loadEvent(
  data: CampaignEventData,
  place: { campaign: CampaignRow; called: string; resolver: Resolver; essences: Set<string> },
): void {
  const { campaign, called, resolver, essences } = place;
  const { account, tables } = resolver;
  const { relativeTo, offset, unit, deliveryHour, message } = data;
  const flow = data.flow === null ? null : resolver.flow(data.flow)?.id;
  if (flow === undefined) return resolver.addProblem(`${called} is left out: there is no flow ${data.flow ?? ""}`);
  if (!systemDates.has(relativeTo) && !ensureDateField(relativeTo, resolver)) {
    return resolver.addProblem(`${called} is left out: there is no field ${relativeTo}`);
  }
  const uuid = asUuid(data.uuid);
  const known = uuid === undefined ? undefined : tables.campaignEvents.byUuid(uuid);
  const given = data.embeddedData === undefined ? (known?.embeddedData ?? null) : normaliseParams(data.embeddedData);
  const embeddedData = flow === null ? null : given;
  const { baseLanguage = null, startMode = "interrupt" } = data;
  const content = { relativeTo, offset, unit, deliveryHour, message, baseLanguage, flow, embeddedData, startMode };
  if (known?.campaign === campaign.id) return void account.campaignEvents.change(known, content);
  if (known !== undefined)
    return resolver.addProblem(`${called} is left out: another campaign has an event with the UUID ${known.uuid}`);
  const essence = essenceOf(content);
  if (uuid === undefined && essences.has(essence)) return;
  if (account.campaignEvents.isFull(campaign.group)) {
    return resolver.addProblem(`${called} is left out: the campaigns of a group have at most ${EVENTS_MAX} events`);
  }
  essences.add(essence);
  account.campaignEvents.add({ ...content, campaign: campaign.id, uuid });
}

/** Adds a date field with this key unless it exists; false when it cannot be added. */
function ensureDateField(key: string, resolver: Resolver): boolean {
  if (resolver.tables.fields.byKey(key) !== undefined) return true;
  return resolver.field({ key, label: key.replaceAll("_", " "), type: "datetime" }) !== undefined;
}

/** The properties that distinguish events without a UUID. */
function essenceOf(event: CampaignEventContent): string {
  const { relativeTo, offset, unit, deliveryHour, message, flow, startMode } = event;
  return JSON.stringify([relativeTo, offset, unit, deliveryHour, message, flow, startMode]);
}

/** Adds a trigger unless one with the same condition and flow exists. */
export function loadTrigger(data: TriggerData, resolver: Resolver): void {
  const { account } = resolver;
  const called = `trigger ${data.type}${data.keyword === null ? "" : ` '${data.keyword}'`}`;
  const flow = resolver.flow(data.flow)?.id;
  if (flow === undefined) return resolver.addProblem(`${called} is left out: there is no flow ${data.flow}`);
  const groups = allGroups([...data.groups, ...data.excludeGroups], called, resolver);
  if (groups === undefined) return;
  const channel = data.channel === null ? null : account.channels.byUuid(data.channel.toLowerCase())?.spec.id;
  if (channel === undefined)
    resolver.addProblem(`${called} applies to any channel: there is no channel ${data.channel ?? ""}`);
  const contacts = allContacts(data.contacts ?? [], called, resolver);
  const schedule = data.schedule === undefined ? null : loadSchedule(data.schedule, called, resolver);
  if (contacts === undefined || schedule === undefined) return;
  const trigger = {
    type: data.type,
    keyword: data.keyword,
    matchType: data.matchType,
    flow,
    channel: channel ?? null,
    groups: groups.slice(0, data.groups.length).map(({ id }) => id),
    excludeGroups: groups.slice(data.groups.length).map(({ id }) => id),
    contacts,
    schedule: schedule?.schedule ?? null,
    startAtMs: schedule?.startAtMs ?? null,
  };
  if (!account.triggers.has(trigger)) resolver.countAdded("triggers");
  account.triggers.add(trigger);
}

/**
 * Resolves all groups of a trigger; undefined when one is unknown. A trigger that lacks one of its groups would apply
 * to other contacts than intended.
 */
function allGroups(references: readonly string[], called: string, resolver: Resolver): GroupRow[] | undefined {
  const groups: GroupRow[] = [];
  for (const reference of references) {
    const group = resolver.group(reference);
    if (group === undefined) return resolver.addProblem(`${called} is left out: there is no group ${reference}`);
    groups.push(group);
  }
  return groups;
}

/** Resolves all contacts of a trigger; undefined when one is unknown. */
function allContacts(references: readonly string[], called: string, resolver: Resolver): number[] | undefined {
  const contacts: number[] = [];
  for (const reference of references) {
    const contact = resolver.contact(reference);
    if (contact === undefined) return resolver.addProblem(`${called} is left out: there is no contact ${reference}`);
    contacts.push(contact.row);
  }
  return contacts;
}

/** Adds a past run. */
export function loadRun(data: RunData, resolver: Resolver): void {
  const called = `run of '${data.flow}' by ${data.contact}`;
  const flow = resolver.flow(data.flow);
  if (flow === undefined) return resolver.addProblem(`${called} is left out: there is no such flow`);
  const contact = resolver.contact(data.contact)?.row;
  if (contact === undefined) return resolver.addProblem(`${called} is left out: there is no such contact`);
  resolver.account.runs.add({ ...data, flow, contact });
  resolver.countAdded("runs");
}
