import { generationOf } from "../../flow/index.js";
import type { CampaignStartMode, CampaignUnit, FieldType, Translations } from "../../wire/index.js";
import { parseContactQuery } from "../query/parse.js";
import { contactQueryUses } from "../query/query.js";
import type { ContactContext } from "../text/contact-view.js";
import { type FlowDependencies, flowSummary, type Mention } from "../definitions/index.js";
import { type CampaignEventRow, systemDates } from "../campaign-events.js";
import type { CampaignRow } from "../campaigns.js";
import type { FlowJson, FlowRow } from "../flows.js";
import type { GroupRow } from "../tables/group-table.js";
import type { AccountTables } from "../tables/account-tables.js";
import { baseLanguageOf } from "../text/translated-text.js";
import type { TriggerRow } from "../triggers.js";

/**
 * The dependencies that an export includes besides the named definitions (docs/reference/service-api.md#definitions).
 * `flows`: the flows that these start or enter, with their triggers. `all`: also the campaigns that start these flows,
 * and all fields and groups in use.
 */
export type Brings = "none" | "flows" | "all";

/** A reference by UUID and name. */
interface Reference {
  readonly uuid: string;
  readonly name: string;
}

/** An export of definitions (docs/reference/flows.md#export-files). */
export interface DefinitionExport {
  readonly version: string;
  readonly flows: readonly FlowJson[];
  readonly campaigns: readonly ExportedCampaign[];
  readonly triggers: readonly ExportedTrigger[];
  readonly fields: readonly { readonly key: string; readonly name: string; readonly type: string }[];
  readonly groups: readonly (Reference & { readonly query: string | null })[];
}

/** A campaign in an export (docs/reference/flows.md#campaigns). */
export interface ExportedCampaign extends Reference {
  readonly group: Reference;
  readonly events: readonly {
    readonly uuid: string;
    /** F starts a flow, M sends a message. */
    readonly event_type: "F" | "M";
    readonly relative_to: { readonly key: string; readonly label: string };
    readonly offset: number;
    readonly unit: string;
    readonly delivery_hour: number;
    readonly message: Translations | null;
    readonly flow: Reference | null;
    /** Null for flows. */
    readonly base_language: string | null;
    /** I interrupts the contact's session, S skips contacts in a flow, P leaves the session alone. */
    readonly start_mode: "I" | "S" | "P";
    readonly embedded_data: unknown;
  }[];
}

/** A trigger in an export (docs/reference/flows.md#triggers). */
export interface ExportedTrigger {
  readonly trigger_type: string;
  readonly keyword: string | null;
  readonly match_type: string;
  readonly flow: Reference;
  readonly groups: readonly Reference[];
  readonly exclude_groups: readonly Reference[];
  /** UUID; null for any channel. */
  readonly channel: string | null;
}

/** The definitions to export, and the settings for it. */
export interface ExportOrder {
  readonly flows: readonly FlowRow[];
  readonly campaigns: readonly CampaignRow[];
  readonly brings: Brings;
  /** The organisation's primary language; null: it has none. */
  readonly language: string | null;
  readonly channelUuid: (id: number) => string;
  /** The context in which the queries of smart groups are parsed. */
  readonly context: ContactContext;
}

/** Names of two flows that cannot be in the same file: a file has one version, from which readers migrate all flows. */
export interface MixedFlows {
  readonly legacy: string;
  readonly native: string;
}

/**
 * Exports definitions, each as it was imported, oldest first.
 *
 * @returns `mixed` when the export would hold both legacy and native flows
 */
export function exportDefinitions(
  order: ExportOrder,
  tables: AccountTables,
): { readonly exported: DefinitionExport } | { readonly mixed: MixedFlows } {
  const { flows, campaigns } = gatherDefinitions(order, tables);
  const [legacy, native] = [true, false].map((isLegacy) =>
    flows.find(({ definition }) => (generationOf(definition) === "legacy") === isLegacy),
  );
  if (legacy !== undefined && native !== undefined) {
    return { mixed: { legacy: legacy.row.name, native: native.row.name } };
  }
  const definitions = flows.map(({ definition }) => definition);
  const flowById = new Map(flows.map(({ row }) => [row.id, row]));
  const groups = new Set<number>(campaigns.map(({ group }) => group));
  const triggers =
    order.brings === "none" ? [] : tables.triggers.active().filter((one) => flowById.has(one.flow) && one.type !== "S");
  for (const trigger of triggers) for (const id of [...trigger.groups, ...trigger.excludeGroups]) groups.add(id);
  const fields = new Set<string>();
  const campaignExports = campaigns.map((campaign) => {
    const events = tables.campaignEvents.ofCampaign(campaign.id);
    for (const { relativeTo } of events) fields.add(relativeTo);
    return campaignExport(campaign, { events, tables, language: order.language });
  });
  for (const { dependencies } of flows) {
    for (const { key } of dependencies.fields) fields.add(key);
    for (const mention of dependencies.groups) {
      const group = findMentioned(mention, tables.groups);
      if (group !== undefined) groups.add(group.id);
    }
  }
  const mentioned = groupsOf([...groups], tables);
  for (const { query } of mentioned) for (const key of fieldsOfQuery(query, order.context)) fields.add(key);
  const written: DefinitionExport = {
    version: versionOf(definitions),
    flows: definitions,
    campaigns: campaignExports,
    triggers: triggers.map((trigger) => triggerExport(trigger, { tables, channelUuid: order.channelUuid })),
    fields: order.brings === "all" ? fieldExports(fields, tables) : [],
    groups: order.brings === "all" ? mentioned.map(({ uuid, name, query }) => ({ uuid, name, query })) : [],
  };
  return { exported: written };
}

interface GatheredFlow {
  readonly row: FlowRow;
  readonly definition: FlowJson;
  readonly dependencies: FlowDependencies;
}

/** The named flows and campaigns of an export, and the ones that these start or enter. */
function gatherDefinitions(
  order: ExportOrder,
  tables: AccountTables,
): { flows: GatheredFlow[]; campaigns: CampaignRow[] } {
  const { brings } = order;
  const flows = new Map<number, GatheredFlow>();
  const campaigns = new Map<number, CampaignRow>();
  const unvisited = [...order.flows];
  const addCampaign = (campaign: CampaignRow): void => {
    if (campaigns.has(campaign.id)) return;
    campaigns.set(campaign.id, campaign);
    if (brings === "none") return;
    for (const { flow } of tables.campaignEvents.ofCampaign(campaign.id)) {
      const row = flow === null ? undefined : tables.flows.get(flow);
      if (row !== undefined) unvisited.push(row);
    }
  };
  order.campaigns.forEach(addCampaign);
  for (let row = unvisited.pop(); row !== undefined; row = unvisited.pop()) {
    const definition = flows.has(row.id) ? undefined : tables.flows.definition(row.id);
    if (definition === undefined) continue;
    const { dependencies } = flowSummary(definition);
    flows.set(row.id, { row, definition, dependencies });
    if (brings === "none") continue;
    for (const mention of dependencies.flows) {
      const other = findMentioned(mention, tables.flows);
      if (other !== undefined) unvisited.push(other);
    }
    if (brings === "flows") continue;
    for (const id of tables.campaignEvents.campaignsWithFlow(row.id)) {
      const campaign = tables.campaigns.get(id);
      if (campaign !== undefined && !campaign.isArchived) addCampaign(campaign);
    }
  }
  return {
    flows: [...flows.values()].toSorted((a, b) => a.row.id - b.row.id),
    campaigns: [...campaigns.values()].toSorted((a, b) => a.id - b.id),
  };
}

function findMentioned<Row>(
  { uuid, name }: Mention,
  table: { byUuid(uuid: string): Row | undefined; byName(name: string): Row | undefined },
): Row | undefined {
  return (
    (uuid === null ? undefined : table.byUuid(uuid.toLowerCase())) ?? (name === null ? undefined : table.byName(name))
  );
}

/**
 * The version of the export as a whole: "13" when its flows are native, else the lowest version of its legacy flows,
 * because readers migrate a file from there. A legacy flow without a version has 10.4.
 */
function versionOf(definitions: readonly FlowJson[]): string {
  const versions = definitions
    .filter((definition) => generationOf(definition) === "legacy")
    .map(({ version }) => (typeof version === "number" || typeof version === "string" ? String(version) : "10.4"));
  return versions.toSorted(byVersion)[0] ?? "13";
}

/** Orders versions by their numbers: 10.4, 11.0, 11.2, 11.12. */
function byVersion(a: string, b: string): number {
  const [majorA = 0, minorA = 0] = a.split(".").map(Number);
  const [majorB = 0, minorB = 0] = b.split(".").map(Number);
  return majorA - majorB || minorA - minorB;
}

const unitLetters: Readonly<Record<CampaignUnit, string>> = { minutes: "M", hours: "H", days: "D", weeks: "W" };

const startModeLetters: Readonly<Record<CampaignStartMode, "I" | "S" | "P">> = {
  interrupt: "I",
  skip: "S",
  passive: "P",
};

function campaignExport(
  { uuid, name, group }: CampaignRow,
  context: { events: readonly CampaignEventRow[]; tables: AccountTables; language: string | null },
): ExportedCampaign {
  const { events, tables, language } = context;
  return {
    uuid,
    name,
    group: referenceOf(tables.groups.get(group)),
    events: events.map((event) => {
      const { relativeTo: key, message } = event;
      const label = tables.fields.byKey(key)?.label ?? systemDates.get(key) ?? key;
      return {
        uuid: event.uuid,
        event_type: message === null ? "F" : "M",
        relative_to: { key, label },
        offset: event.offset,
        unit: unitLetters[event.unit],
        delivery_hour: event.deliveryHour,
        message,
        flow: event.flow === null ? null : referenceOf(tables.flows.get(event.flow)),
        base_language: message === null ? null : (event.baseLanguage ?? baseLanguageOf(message, language)),
        start_mode: startModeLetters[event.startMode],
        embedded_data: event.embeddedData,
      };
    }),
  };
}

function triggerExport(
  trigger: TriggerRow,
  { tables, channelUuid }: { tables: AccountTables; channelUuid: (id: number) => string },
): ExportedTrigger {
  return {
    trigger_type: trigger.type,
    keyword: trigger.keyword,
    match_type: trigger.matchType,
    flow: referenceOf(tables.flows.get(trigger.flow)),
    groups: groupsOf(trigger.groups, tables).map(referenceOf),
    exclude_groups: groupsOf(trigger.excludeGroups, tables).map(referenceOf),
    channel: trigger.channel === null ? null : channelUuid(trigger.channel),
  };
}

function fieldsOfQuery(query: string | null, context: ContactContext): Iterable<string> {
  const reading = query === null ? undefined : parseContactQuery(query, context);
  return reading?.ok === true ? contactQueryUses(reading.query).fields : [];
}

/** Types as exports spell them: `number` for `numeric` (docs/reference/flows.md#export-files). */
function fieldExports(keys: ReadonlySet<string>, tables: AccountTables): DefinitionExport["fields"] {
  const spelled = (type: FieldType): string => (type === "numeric" ? "number" : type);
  return tables.fields
    .all()
    .filter(({ key }) => keys.has(key))
    .map(({ key, label, type }) => ({ key, name: label, type: spelled(type) }));
}

/** The groups with these ids, by id, including deleted groups. */
function groupsOf(ids: readonly number[], tables: AccountTables): GroupRow[] {
  return ids.toSorted((a, b) => a - b).flatMap((id) => tables.groups.get(id) ?? []);
}

/** The reference to a stored row. Deleted rows stay in their tables, so a missing one is a defect. */
function referenceOf(thing: Reference | undefined): Reference {
  if (thing === undefined) throw new Error("an export refers to something that is not stored");
  return { uuid: thing.uuid, name: thing.name };
}
