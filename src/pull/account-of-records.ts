import { DateTime } from "luxon";
import { isFieldKey, isFieldLabel, parseContactQuery } from "../account/index.js";
import {
  type AccountData,
  type BoundaryData,
  emptyAccount,
  type FieldData,
  type FieldType,
  fieldTypes,
  type GroupData,
  type OrganisationData,
  type ResthookData,
} from "../wire/index.js";
import { campaignsOf } from "./campaigns-of-records.js";
import { contactsOf } from "./contacts-of-records.js";
import { flowsOf } from "./flows-of-records.js";
import { type JsonMap, isMap, textOf, textsIn, uuidOf } from "./json.js";
import { LeftOuts, type LeftOut } from "./left-out.js";
import type { ListName, PulledRecords } from "./pull-state.js";
import { querySchemaOf } from "./query-pseudonyms.js";

/** A channel of the service, which an account file cannot have. */
export interface PulledChannel {
  readonly uuid: string | undefined;
  readonly name: string;
  readonly address: string;
  readonly type: string;
}

/** An account as it was pulled. */
export interface PulledAccount {
  readonly data: AccountData;
  /** Definitions that break the rules of loading, with the first reason. */
  readonly brokenFlows: readonly { readonly name: string; readonly definition: JsonMap; readonly why: string }[];
  readonly channels: readonly PulledChannel[];
  readonly leftOut: readonly LeftOut[];
}

/** Characters of names of groups and labels, and of campaigns. */
const NAME_MAX = 64;

/**
 * Makes an account of a service's records. Unknown keys are ignored, absent and null ones have their defaults. What an
 * account file cannot have is left out and counted by reason.
 */
export function accountOfRecords(records: PulledRecords): PulledAccount {
  const left = new LeftOuts();
  const list = (name: ListName): readonly JsonMap[] => records.lists.get(name) ?? [];
  const fields = fieldsOf(list("fields"), left);
  const organisation = organisationOf(records.org, left);
  const groups = withReadableQueries(namedOf(list("groups"), "groups", left), { organisation, fields }, left);
  const labels = namedOf(list("labels"), "labels", left);
  const fieldKeys = new Set(fields.map(({ key }) => key));
  const byUuid = new Map([...groups, ...labels].map((one) => [one.uuid ?? "", one]));
  const { flows, triggers, broken, eventDetails } = flowsOf(records, { fields, groups }, left);
  const data: AccountData = {
    ...emptyAccount,
    organisation,
    globals: globalsOf(list("globals"), left),
    fields,
    groups,
    labels: labels.map(({ uuid, name }) => ({ uuid, name })),
    contacts: contactsOf(list("contacts"), { groups: byUuid, fieldKeys }, left),
    flows,
    campaigns: campaignsOf(
      { campaigns: list("campaigns"), events: list("campaign_events") },
      { groups: byUuid, fieldKeys, flows: new Set(flows.map(({ uuid }) => uuid ?? "")), eventDetails },
      left,
    ),
    triggers,
    resthooks: resthooksOf(list("resthooks"), list("resthook_subscribers"), left),
    boundaries: boundariesOf(list("boundaries"), left),
  };
  return { data, brokenFlows: broken, channels: channelsOf(list("channels")), leftOut: left.all() };
}

function organisationOf(org: JsonMap, left: LeftOuts): Partial<OrganisationData> {
  const country = textOf(org["country"])?.toUpperCase();
  const primary = textOf(org["primary_language"]);
  const languages = [...new Set([...textsIn(org["languages"]), ...(primary === undefined ? [] : [primary])])].filter(
    (code) => /^[a-z]{3}$/.test(code),
  );
  const timezone = textOf(org["timezone"]) ?? "UTC";
  const isZone = DateTime.now().setZone(timezone).isValid;
  if (!isZone) left.add("time zone", `'${timezone}' is not known here: it is UTC`, "organisation");
  const style = textOf(org["date_style"]);
  const credits = isMap(org["credits"]) ? org["credits"] : {};
  const [used, remaining] = [credits["used"], credits["remaining"]];
  return {
    name: Array.from(textOf(org["name"]) ?? "")
      .slice(0, 128)
      .join(""),
    uuid: uuidOf(org),
    ...(country !== undefined && /^[A-Z]{2}$/.test(country) && { country }),
    languages,
    ...(primary !== undefined && languages.includes(primary) && { primaryLanguage: primary }),
    timezone: isZone ? timezone : "UTC",
    dateStyle: style === "month_first" || style === "year_first" ? style : "day_first",
    isAnonymous: org["anon"] === true,
    // Newer services have no credits, and give -1.
    ...(isAmount(used) && isAmount(remaining) && { credits: { used, remaining } }),
  };
}

function isAmount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 1e12;
}

function fieldsOf(records: readonly JsonMap[], left: LeftOuts): (FieldData & { readonly key: string })[] {
  return records.toReversed().flatMap((record) => {
    const key = textOf(record["key"]) ?? "";
    if (!isFieldKey(key))
      return left.add("fields", "contacts have this by themselves, or the key is invalid", key) ?? [];
    const written = textOf(record["label"]) ?? textOf(record["name"]) ?? key;
    const label = written
      .replaceAll(/[^A-Za-z0-9 -]+/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim()
      .slice(0, 36);
    return [{ key, label: isFieldLabel(label) ? label : key.replaceAll("_", " "), type: typeOf(record, key, left) }];
  });
}

function typeOf(record: JsonMap, key: string, left: LeftOuts): FieldType {
  const written = textOf(record["value_type"]) ?? textOf(record["type"]) ?? "text";
  const type = fieldTypes.find((one) => one === (written === "number" ? "numeric" : written));
  if (type === undefined) left.add("types of fields", `'${written}' is not known here: it is text`, key);
  return type ?? "text";
}

/** Groups or labels. Those of the service itself, such as open tickets, are no part of an account. */
function namedOf(records: readonly JsonMap[], what: string, left: LeftOuts): GroupData[] {
  const names = new Set<string>();
  return records.toReversed().flatMap((record): GroupData[] => {
    const written = textOf(record["name"]) ?? "";
    if (record["system"] === true) return [];
    const name = Array.from(/^[\p{L}\p{N}_]/u.test(written) ? written : `_${written}`)
      .slice(0, NAME_MAX)
      .join("")
      .trim();
    if (names.has(name.toLowerCase())) return left.add(what, "another one has the same name", written) ?? [];
    names.add(name.toLowerCase());
    if (name !== written) left.add(`names of ${what}`, "they were changed to ones that are allowed", written);
    return [{ uuid: uuidOf(record), name, query: textOf(record["query"]) ?? null }];
  });
}

/** A group whose query cannot be read here becomes one without, with the members that it has. */
function withReadableQueries(
  groups: readonly GroupData[],
  { organisation, fields }: Pick<AccountData, "organisation" | "fields">,
  left: LeftOuts,
): GroupData[] {
  const schema = querySchemaOf({ organisation, fields, groups });
  return groups.map((group) => {
    const reading = group.query === null ? undefined : parseContactQuery(group.query, schema);
    if (reading === undefined || reading.ok) return group;
    left.add("queries of groups", `they have their present members instead: ${reading.error.message}`, group.name);
    return { ...group, query: null };
  });
}

function globalsOf(records: readonly JsonMap[], left: LeftOuts): Record<string, string> | undefined {
  const globals: Record<string, string> = {};
  for (const record of records.toReversed()) {
    const key = textOf(record["key"]) ?? "";
    if (/^[a-z][a-z0-9_]{0,35}$/.test(key)) globals[key] = typeof record["value"] === "string" ? record["value"] : "";
    else left.add("globals", "the key is invalid", key);
  }
  return Object.keys(globals).length === 0 ? undefined : globals;
}

function resthooksOf(resthooks: readonly JsonMap[], subscribers: readonly JsonMap[], left: LeftOuts): ResthookData[] {
  const slugs = new Set([...resthooks, ...subscribers].flatMap(({ resthook }) => textOf(resthook) ?? []));
  return [...slugs].toSorted().flatMap((slug) => {
    if (!/^[a-z0-9][a-z0-9_-]{0,49}$/.test(slug)) return left.add("resthooks", "the slug is invalid", slug) ?? [];
    const urls = subscribers
      .toReversed()
      .flatMap((one) => (textOf(one["resthook"]) === slug ? (textOf(one["target_url"]) ?? []) : []));
    const usable = [...new Set(urls)].filter((url) => {
      if (/^https?:\/\/[^/?#\s]/i.test(url) && !/\s/.test(url) && URL.canParse(url)) return true;
      return left.add("subscribers", "the address is not one of http or https", slug) ?? false;
    });
    return [{ slug, subscribers: usable }];
  });
}

/** Levels of boundaries: countries, states, districts, wards. */
const LEVELS = 4;

/** The tree of boundaries, without shapes, which `boundaries.json` gives only when they are asked for. */
function boundariesOf(records: readonly JsonMap[], left: LeftOuts): BoundaryData[] {
  const parts = new Map<string, JsonMap[]>();
  for (const record of records) {
    const parent = isMap(record["parent"]) ? (textOf(record["parent"]["osm_id"]) ?? "") : "";
    const siblings = parts.get(parent);
    if (siblings === undefined) parts.set(parent, [record]);
    else siblings.push(record);
  }
  const seen = new Set<string>();
  const below = (parent: string, level: number): BoundaryData[] =>
    (level === LEVELS ? [] : (parts.get(parent) ?? [])).flatMap((record) => {
      const osmId = textOf(record["osm_id"]);
      const name = textOf(record["name"]);
      if (osmId === undefined || name === undefined || osmId.length > 15 || seen.has(osmId)) return [];
      seen.add(osmId);
      return [{ osmId, name, aliases: textsIn(record["aliases"]), geometry: null, parts: below(osmId, level + 1) }];
    });
  const countries = below("", 0);
  for (const record of records) {
    const osmId = textOf(record["osm_id"]) ?? "";
    if (!seen.has(osmId)) left.add("boundaries", "they are no part of a country, or have no id or name", osmId);
  }
  return countries;
}

function channelsOf(records: readonly JsonMap[]): PulledChannel[] {
  return records.toReversed().map((record) => ({
    uuid: uuidOf(record),
    name: textOf(record["name"]) ?? "",
    address: textOf(record["address"]) ?? "",
    type: textOf(record["type"]) ?? (isMap(record["device"]) ? "android" : ""),
  }));
}
