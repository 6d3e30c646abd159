import { type NamedLocation, locationTree, type LocationTree } from "../../expression/index.js";
import type { SessionContact } from "../contact-state.js";
import type { FlowDefinition } from "../definition.js";
import type { Assets, ChannelAsset, FieldAsset, FieldAssetType, GroupAsset } from "../host.js";
import { generationOf } from "../legacy/generation.js";
import { migrateDefinition } from "../legacy/migrate-definition.js";
import type { NamedReference } from "../named-reference.js";
import { DefinitionError, type DefinitionProblem } from "../read/definition-error.js";
import { inspectDefinition } from "../read/inspect-definition.js";
import { JsonObject } from "../read/json-object.js";
import { readDefinition } from "../read/read-definition.js";
import { actionFaults } from "./required-properties.js";

/** Decides membership in smart groups; undefined: the query is invalid. */
export type Membership = (group: GroupAsset, contact: SessionContact) => boolean | undefined;

/** Assets of plain JSON, with the fault of each flow that cannot be loaded. */
export interface PlayAssets extends Assets {
  /** Why a flow cannot be loaded; undefined when it can, or when it does not exist. */
  faultOf(flow: string): string | undefined;
}

/**
 * Reads assets of plain JSON: flows of any generation, fields, groups, channels, labels, locations, resthooks, globals.
 * A flow is loaded when it is first asked for.
 *
 * @param isMember - decides membership in groups with a query
 * @throws DefinitionError when an asset other than a flow has the wrong form
 */
export function readAssets(json: unknown, isMember: Membership): PlayAssets {
  const problems: DefinitionProblem[] = [];
  const root = new JsonObject("assets", json ?? {}, problems);
  const fields = root.objects("fields", "field").map(readField);
  const groups = root.objects("groups", "group").map(readGroup);
  const labels = root.objects("labels", "label").map(readReference);
  const channels = root.objects("channels", "channel").map(readChannel);
  const resthooks = root.objects("resthooks", "resthook").map((resthook) => ({
    slug: resthook.neededText("slug"),
    subscribers: resthook.texts("subscribers"),
  }));
  const globals = root
    .objects("globals", "global")
    .map((global): [string, string] => [global.neededText("key"), global.text("value")]);
  const locations = locationsOf(root.items("locations"));
  if (problems.length > 0) throw new DefinitionError(problems);
  const flows = new LazyFlows(root.items("flows"));
  const inAnyCase = (name: string): string => name.trim().toLowerCase();
  const fieldsByName = fields.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const smartGroups = groups.filter(({ query }) => query !== undefined);
  return {
    flow: (uuid) => flows.load(uuid),
    flowByName: (name) => flows.byName(name),
    faultOf: (uuid) => flows.faultOf(uuid),
    field: (key) => fields.find((field) => field.key === key),
    fields: () => fieldsByName,
    group: (uuid) => groups.find((group) => group.uuid === uuid),
    groupByName: (name) => groups.find((group) => inAnyCase(group.name) === inAnyCase(name)),
    smartGroups: () => smartGroups,
    isMember,
    label: (uuid) => labels.find((label) => label.uuid === uuid),
    labelByName: (name) => labels.find((label) => inAnyCase(label.name) === inAnyCase(name)),
    channel: (uuid) => channels.find((channel) => channel.uuid === uuid),
    channels: () => channels,
    resthook: (slug) => resthooks.find((resthook) => resthook.slug === slug),
    globals: Object.fromEntries(globals),
    locations,
  };
}

/** Definitions, migrated and checked on first use. */
class LazyFlows {
  readonly #json = new Map<string, unknown>();
  readonly #names = new Map<string, string>();
  readonly #loaded = new Map<string, FlowDefinition | Error>();

  constructor(flows: readonly unknown[]) {
    for (const flow of flows) {
      const head = new JsonObject("flow", flow, []);
      const metadata = head.object("metadata");
      const uuid = head.text("uuid") || (metadata?.text("uuid") ?? "");
      this.#json.set(uuid, flow);
      this.#names.set((head.text("name") || (metadata?.text("name") ?? "")).toLowerCase(), uuid);
    }
  }

  load(uuid: string): FlowDefinition | undefined {
    const found = this.#loadOrFault(uuid);
    return found instanceof Error ? undefined : found;
  }

  byName(name: string): FlowDefinition | undefined {
    return this.load(this.#names.get(name.toLowerCase()) ?? "");
  }

  faultOf(uuid: string): string | undefined {
    const found = this.#loadOrFault(uuid);
    return found instanceof Error ? found.message : undefined;
  }

  #loadOrFault(uuid: string): FlowDefinition | Error | undefined {
    if (!this.#loaded.has(uuid) && this.#json.has(uuid)) this.#loaded.set(uuid, loadFlow(this.#json.get(uuid)));
    return this.#loaded.get(uuid);
  }
}

/** Loads a flow of any generation. A part that no version of the service knows is an error, as in the service. */
function loadFlow(json: unknown): FlowDefinition | Error {
  try {
    const flow = readDefinition(migrateDefinition(json));
    const place = `flow "${flow.name}"`;
    const unknown = inspectDefinition(flow)
      .filter(({ isUnknown }) => isUnknown)
      .map(({ node, kind, name }) => ({
        place: `${place}, node ${node}`,
        name,
        text: `unknown type of ${kind}: '${name}'`,
      }));
    // The migration guarantees the contents of the actions that it writes.
    const faults =
      generationOf(json) === "native" ? actionFaults(json).map((text) => ({ place, name: "action", text })) : [];
    return unknown.length + faults.length === 0 ? flow : new DefinitionError([...unknown, ...faults]);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

const fieldTypes: readonly string[] = ["text", "number", "datetime", "state", "district", "ward"];

function readField(field: JsonObject): FieldAsset {
  const key = field.neededText("key");
  const type = field.text("type") || "text";
  if (!isFieldType(type)) field.addProblem("type", `must be one of ${fieldTypes.join(", ")}, got ${type}`);
  return { key, name: field.text("name") || key, type: isFieldType(type) ? type : "text" };
}

function isFieldType(text: string): text is FieldAssetType {
  return fieldTypes.includes(text);
}

function readGroup(group: JsonObject): GroupAsset {
  const query = group.text("query");
  return { ...readReference(group), ...(query !== "" && { query }) };
}

function readReference(item: JsonObject): NamedReference {
  return { uuid: item.neededText("uuid"), name: item.text("name") };
}

function readChannel(channel: JsonObject): ChannelAsset {
  const country = channel.text("country");
  const roles = channel.texts("roles");
  const schemes = channel.texts("schemes");
  return {
    ...readReference(channel),
    address: channel.text("address"),
    schemes: schemes.length === 0 ? ["tel"] : schemes,
    roles: channel.raw("roles") === undefined ? ["send", "receive"] : roles,
    ...(country !== "" && { country }),
    matchPrefixes: channel.texts("match_prefixes"),
    allowsInternational: channel.isTrue("allow_international"),
  };
}

/** One tree of all countries. */
function locationsOf(items: readonly unknown[]): LocationTree | undefined {
  const trees = items.filter(isLocation).map(locationTree);
  if (trees.length === 0) return undefined;
  return { find: (level, text, parent) => trees.flatMap((tree) => tree.find(level, text, parent)) };
}

function isLocation(item: unknown): item is NamedLocation {
  return typeof item === "object" && item !== null && "name" in item && typeof item.name === "string";
}
