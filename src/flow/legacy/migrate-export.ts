import { generationOf } from "./generation.js";
import { migrateTemplate } from "./expressions/migrate-template.js";
import { migrateVersion7Template } from "./expressions/version-7-template.js";
import { isTooDeep, type LegacyJson, mapOf, mapsOf, mapTexts, textOf, valueAt } from "./json.js";
import { migrateDefinition, type MigrationOptions } from "./migrate-definition.js";
import { MigrationError } from "./migration-error.js";
import { idUuid } from "./read-legacy-flow.js";
import type { UuidOfId } from "./versions/ids.js";
import { readVersion, version } from "./versions/version.js";

/** Version that a migrated export says (docs/reference/flows.md#export-files). */
const exportVersion = "13";

/**
 * The native form of an export of any version (docs/reference/flows.md#export-files). Each flow is migrated by its own
 * generation. Groups, fields, triggers and campaigns stay; numeric ids in them become UUIDs, and the messages of legacy
 * campaigns get native templates. Deterministic, like {@link migrateDefinition}.
 *
 * @param options - `mediaBase` defaults to the export's `site`
 * @throws MigrationError with the flow and the place in it
 */
export function migrateExport(json: unknown, options: Pick<MigrationOptions, "mediaBase"> = {}): LegacyJson {
  const all = mapOf(json);
  if (all === undefined || !Array.isArray(all["flows"])) throw new MigrationError("", "not an export: it has no flows");
  if (isTooDeep(all)) throw new MigrationError("", "objects and lists are nested deeper than 100 levels");
  const flows: readonly unknown[] = all["flows"];
  const isLegacy = isLegacyExport(all, flows);
  const uuidOf = uuidsOfIds(flows);
  const surroundings = exportSurroundings(all, options);
  return {
    ...all,
    version: exportVersion,
    flows: flows.map((flow, place) => migrateFlow(flow, place, surroundings)),
    ...("campaigns" in all && {
      campaigns: mapsOf(all["campaigns"]).map((one) => migrateCampaign(one, isLegacy, uuidOf)),
    }),
    ...("triggers" in all && { triggers: mapsOf(all["triggers"]).map((one) => migrateTrigger(one, uuidOf)) }),
  };
}

/** Facts of the export that the migration of one of its flows needs. */
export function exportSurroundings(
  all: Readonly<LegacyJson>,
  options: Pick<MigrationOptions, "mediaBase"> = {},
): MigrationOptions {
  const flows = mapsOf(all["flows"]);
  return {
    mediaBase: options.mediaBase ?? textOf(all["site"]),
    version: isLegacyExport(all, flows) ? textOf(all["version"]) : undefined,
    flowTypes: new Map(flows.map((flow) => [flowUuid(flow), flowType(flow)])),
    fieldTypes: new Map(mapsOf(all["fields"]).map(fieldType)),
    idUuid: uuidsOfIds(flows),
  };
}

function isLegacyExport(all: Readonly<LegacyJson>, flows: readonly unknown[]): boolean {
  const written = readVersion(all["version"]);
  return written === undefined ? flows.some((flow) => generationOf(flow) === "legacy") : written < version(13);
}

function migrateFlow(flow: unknown, place: number, options: MigrationOptions): LegacyJson {
  try {
    return migrateDefinition(flow, options);
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    const name = flowName(mapOf(flow));
    throw error.within(`flows[${place}]${name === "" ? "" : ` '${name}'`}`);
  }
}

/** A property of a flow, which legacy definitions have in `metadata`, in `definition` or at the top. */
function flowProperty(flow: LegacyJson | undefined, key: string): unknown {
  const body = mapOf(flow?.["definition"]) ?? flow;
  return valueAt(mapOf(body?.["metadata"]), key) ?? valueAt(body, key) ?? valueAt(flow, key);
}

function flowName(flow: LegacyJson | undefined): string {
  return textOf(flowProperty(flow, "name"));
}

function flowUuid(flow: LegacyJson): string {
  return textOf(flowProperty(flow, "uuid"));
}

function flowType(flow: LegacyJson): string {
  return textOf(flowProperty(flow, "flow_type") ?? flowProperty(flow, "type"));
}

function fieldType(field: LegacyJson): [string, string] {
  return [textOf(field["key"]), textOf(field["type"] ?? field["value_type"])];
}

/** UUIDs by id: flows of the export that have both keep their UUID. */
function uuidsOfIds(flows: readonly unknown[]): UuidOfId {
  const ofFlows = new Map<string, string>();
  for (const flow of mapsOf(flows)) {
    const id = textOf(flowProperty(flow, "id"));
    const uuid = flowUuid(flow);
    if (id !== "" && uuid !== "") ofFlows.set(id, uuid);
  }
  return (kind, id) => (kind === "flow" ? ofFlows.get(textOf(id)) : undefined) ?? idUuid(kind, id);
}

/** A reference with the UUID of its id; other values stay. */
function withUuid(kind: string, reference: unknown, uuidOf: UuidOfId): unknown {
  const map = mapOf(reference);
  if (map === undefined || textOf(valueAt(map, "uuid")) !== "") return reference;
  const { id, ...rest } = map;
  const uuid = uuidOf(kind, id);
  return uuid === "" ? reference : { uuid, ...rest };
}

function migrateTrigger(trigger: LegacyJson, uuidOf: UuidOfId): LegacyJson {
  const { flow, groups } = trigger;
  return {
    ...trigger,
    ...(mapOf(flow) !== undefined && { flow: withUuid("flow", flow, uuidOf) }),
    ...(Array.isArray(groups) && { groups: groups.map((group: unknown) => withUuid("group", group, uuidOf)) }),
  };
}

function migrateCampaign(campaign: LegacyJson, isLegacy: boolean, uuidOf: UuidOfId): LegacyJson {
  const { group, events } = campaign;
  return {
    ...mapOf(withUuid("campaign", campaign, uuidOf)),
    ...(mapOf(group) !== undefined && { group: withUuid("group", group, uuidOf) }),
    ...(events !== undefined && { events: mapsOf(events).map((event) => migrateEvent(event, isLegacy, uuidOf)) }),
  };
}

function migrateEvent(event: LegacyJson, isLegacy: boolean, uuidOf: UuidOfId): LegacyJson {
  const { flow, message } = event;
  return {
    ...mapOf(withUuid("campaign event", event, uuidOf)),
    ...(mapOf(flow) !== undefined && { flow: withUuid("flow", flow, uuidOf) }),
    ...(isLegacy && message !== undefined && { message: migrateMessage(message) }),
  };
}

/** A message is a text, an object by language, or such an object as JSON text. */
function migrateMessage(message: unknown): unknown {
  return mapTexts(parsedMessage(message), (text) => migrateTemplate(migrateVersion7Template(text)));
}

function parsedMessage(message: unknown): unknown {
  if (typeof message !== "string" || !message.startsWith("{")) return message;
  try {
    return mapOf(JSON.parse(message)) ?? message;
  } catch {
    return message;
  }
}
