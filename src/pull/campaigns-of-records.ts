import { systemDates } from "../account/index.js";
import {
  type CampaignData,
  type CampaignEventData,
  campaignUnits,
  type GroupData,
  type Translations,
} from "../wire/index.js";
import type { EventDetails } from "./flows-of-records.js";
import { isMap, type JsonMap, textOf, uuidOf } from "./json.js";
import type { LeftOuts } from "./left-out.js";

/** What campaigns refer to. */
export interface CampaignSurroundings {
  /** Groups by UUID. */
  readonly groups: ReadonlyMap<string, GroupData>;
  readonly fieldKeys: ReadonlySet<string>;
  /** UUIDs of the flows. */
  readonly flows: ReadonlySet<string>;
  readonly eventDetails: ReadonlyMap<string, EventDetails>;
}

/** The campaigns of `campaigns.json` with the events of `campaign_events.json`, the oldest first. */
export function campaignsOf(
  { campaigns, events }: { readonly campaigns: readonly JsonMap[]; readonly events: readonly JsonMap[] },
  surroundings: CampaignSurroundings,
  left: LeftOuts,
): CampaignData[] {
  const byCampaign = new Map<string, JsonMap[]>();
  for (const event of events.toReversed()) {
    const uuid = uuidOf(event["campaign"]) ?? "";
    byCampaign.set(uuid, [...(byCampaign.get(uuid) ?? []), event]);
  }
  const names = new Set<string>();
  const found = campaigns.toReversed().flatMap((record): CampaignData[] => {
    const name = textOf(record["name"]) ?? "";
    const uuid = uuidOf(record);
    const group = surroundings.groups.get(uuidOf(record["group"]) ?? "");
    const own = byCampaign.get(uuid ?? "") ?? [];
    byCampaign.delete(uuid ?? "");
    if (group === undefined) return left.add("campaigns", "groups.json does not list their group", name) ?? [];
    if (name === "" || names.has(name.toLowerCase()))
      return left.add("campaigns", "another one has the same name", name) ?? [];
    names.add(name.toLowerCase());
    return [
      {
        uuid,
        name,
        group: group.name,
        isArchived: record["archived"] === true,
        events: own.flatMap((event) => eventOf(event, name, surroundings, left) ?? []),
      },
    ];
  });
  for (const orphans of byCampaign.values())
    for (const event of orphans)
      left.add("events of campaigns", "campaigns.json does not list their campaign", uuidOf(event) ?? "");
  return found;
}

function eventOf(
  event: JsonMap,
  campaign: string,
  { flows, fieldKeys, eventDetails }: CampaignSurroundings,
  left: LeftOuts,
): CampaignEventData | undefined {
  const leave = (why: string): undefined => left.add("events of campaigns", why, campaign);
  const uuid = uuidOf(event);
  const relativeTo = isMap(event["relative_to"]) ? textOf(event["relative_to"]["key"]) : undefined;
  const unit = campaignUnits.find((one) => one === event["unit"]);
  const offset = Number(event["offset"]);
  const hour = Number(event["delivery_hour"] ?? -1);
  if (relativeTo === undefined) return leave("they name no field");
  if (!fieldKeys.has(relativeTo) && !systemDates.has(relativeTo))
    return leave(`the account has no field '${relativeTo}'`);
  if (unit === undefined || !Number.isInteger(offset) || Math.abs(offset) > 1e9)
    return leave("their offset is invalid");
  const { startMode, baseLanguage } = eventDetails.get(uuid ?? "") ?? {};
  const deliveryHour = Number.isInteger(hour) && hour >= 0 && hour <= 23 ? hour : -1;
  const at = { uuid, relativeTo, offset, unit, deliveryHour, ...(startMode !== undefined && { startMode }) };
  const message = translationsOf(event["message"]);
  if (message !== undefined) {
    const isBase = baseLanguage !== undefined && Object.hasOwn(message, baseLanguage);
    return { ...at, message, flow: null, ...(isBase && { baseLanguage }) };
  }
  const flow = uuidOf(event["flow"]);
  if (flow === undefined) return leave("they have neither a text nor a flow");
  if (!flows.has(flow)) return leave("their flow is left out");
  const embeddedData = isMap(event["embedded_data"]) ? event["embedded_data"] : undefined;
  return { ...at, message: null, flow, ...(embeddedData !== undefined && { embeddedData }) };
}

/** A text, or texts by language. Texts that are blank and languages that are invalid are left out. */
function translationsOf(value: unknown): Translations | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : { base: value };
  if (!isMap(value)) return undefined;
  const texts = Object.entries(value).filter(
    (entry): entry is [string, string] =>
      /^([a-z]{3}|base)$/.test(entry[0]) && typeof entry[1] === "string" && entry[1].trim() !== "",
  );
  return texts.length === 0 ? undefined : Object.fromEntries(texts);
}
