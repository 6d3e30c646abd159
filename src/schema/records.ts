import { campaignUnits, exitTypes, fieldTypes, flowTypes } from "../wire/index.js";
import {
  anyObject,
  arrayOf,
  boolean,
  described,
  integer,
  type JsonSchema,
  mapOf,
  nullable,
  objectOf,
  oneOf,
  reference,
  type Schema,
  slug,
  text,
  timestamp,
  translations,
  uuid,
  type ValueOf,
} from "./schema.js";

/** Names of field types in later versions (docs/reference/service-api.md#field-types). */
export const laterFieldTypes = ["text", "number", "datetime", "state", "district", "ward"] as const;

/** Always empty: phones relay plain text only. */
const noItems: Schema<readonly never[]> = { type: "array", maxItems: 0 };
const noProperties: Schema<Readonly<Record<string, never>>> = { type: "object", maxProperties: 0 };
const alwaysNull: Schema<null> = { type: "null" };

const osmId: Schema<string> = { type: "string", maxLength: 15, examples: ["192798"] };
const placeName: Schema<string> = { type: "string", examples: ["Mombasa"] };
const boundaryLevel: Schema<0 | 1 | 2 | 3> = { type: "integer", enum: [0, 1, 2, 3] };
/** Percent; -1: unknown. */
const powerLevel: Schema<number> = { type: "integer", minimum: -1, maximum: 100 };

/** What flows read as `@extra` or `@embed`. */
const flowData = { description: "As it was normalised: an object in almost all cases; null: none" };

/** The record of each list of the REST API v2, by the resource's name (docs/reference/service-api.md). */
export const records = {
  boundaries: objectOf({
    osm_id: osmId,
    name: placeName,
    parent: nullable(objectOf({ osm_id: osmId, name: text })),
    level: boundaryLevel,
    aliases: arrayOf(text),
    geometry: nullable(
      described("GeoJSON; null unless it was asked for", objectOf({ type: text, coordinates: { type: "array" } })),
    ),
  }),
  broadcasts: objectOf({
    id: integer,
    uuid,
    urns: nullable(arrayOf(text)),
    contacts: arrayOf(reference),
    groups: arrayOf(reference),
    text: translations,
    status: oneOf(["queued", "sent", "failed"]),
    created_on: timestamp,
    base_language: text,
    progress: objectOf({
      total: described("Recipients; -1: not yet counted", integer),
      started: described("Messages that were made", integer),
    }),
    attachments: noProperties,
    quick_replies: noProperties,
  }),
  campaign_events: objectOf({
    uuid,
    campaign: reference,
    relative_to: objectOf({ key: text, label: text, name: text }),
    offset: integer,
    unit: oneOf(campaignUnits),
    delivery_hour: integer,
    flow: nullable(reference),
    message: nullable(translations),
    embedded_data: nullable(anyObject),
    created_on: timestamp,
  }),
  campaigns: objectOf({ uuid, name: text, archived: boolean, group: reference, created_on: timestamp }),
  channel_events: objectOf({
    id: integer,
    type: oneOf(["call-in", "call-in-missed", "call-out", "call-out-missed"]),
    contact: reference,
    channel: reference,
    extra: objectOf({ duration: integer }),
    occurred_on: timestamp,
    created_on: timestamp,
    // Clients from before November 2017 read these instead of `occurred_on` and `extra`.
    time: timestamp,
    duration: integer,
  }),
  channels: objectOf({
    uuid,
    name: nullable(text),
    address: nullable(text),
    type: oneOf(["android"]),
    country: nullable(text),
    device: nullable(
      objectOf({
        name: text,
        power_level: powerLevel,
        power_status: nullable(text),
        power_source: nullable(text),
        network_type: nullable(text),
      }),
    ),
    last_seen: timestamp,
    created_on: timestamp,
  }),
  contacts: objectOf({
    uuid,
    name: nullable(text),
    status: nullable(oneOf(["active", "blocked", "stopped"])),
    language: nullable(text),
    urns: arrayOf(text),
    groups: arrayOf(reference),
    fields: mapOf(nullable(text)),
    flow: nullable(reference),
    blocked: nullable(boolean),
    stopped: nullable(boolean),
    created_on: timestamp,
    modified_on: timestamp,
    last_seen_on: nullable(timestamp),
    notes: noItems,
  }),
  fields: objectOf({
    key: text,
    label: text,
    value_type: oneOf(fieldTypes),
    name: text,
    type: oneOf(laterFieldTypes),
    featured: boolean,
    priority: integer,
    agent_access: text,
  }),
  flow_starts: objectOf({
    id: integer,
    uuid,
    flow: reference,
    status: oneOf(["pending", "starting", "complete", "failed"]),
    groups: arrayOf(reference),
    contacts: arrayOf(reference),
    restart_participants: boolean,
    exclude_active: boolean,
    extra: flowData,
    params: flowData,
    embedded_data: flowData,
    progress: objectOf({ total: described("Contacts to start; -1: not yet counted", integer), started: integer }),
    created_on: timestamp,
    modified_on: timestamp,
  }),
  flows: objectOf({
    uuid,
    name: text,
    type: oneOf(flowTypes),
    archived: boolean,
    labels: arrayOf(reference),
    expires: described("Minutes of silence before a run expires", integer),
    runs: objectOf({
      active: integer,
      waiting: described("Always 0: runs that wait are active here", integer),
      completed: integer,
      interrupted: integer,
      expired: integer,
      failed: integer,
    }),
    results: arrayOf(objectOf({ key: text, name: text, categories: arrayOf(text), node_uuids: arrayOf(text) })),
    parent_refs: arrayOf(uuid),
    created_on: timestamp,
    modified_on: timestamp,
  }),
  groups: objectOf({
    uuid,
    name: text,
    query: nullable(text),
    status: oneOf(["ready"]),
    system: boolean,
    count: integer,
  }),
  labels: objectOf({ uuid, name: text, count: integer }),
  messages: objectOf({
    id: integer,
    uuid,
    broadcast: nullable(integer),
    contact: reference,
    urn: nullable(text),
    channel: reference,
    direction: oneOf(["in", "out"]),
    type: oneOf(["inbox", "flow"]),
    status: oneOf(["queued", "sent", "delivered", "errored", "failed", "handled"]),
    archived: boolean,
    visibility: oneOf(["visible", "archived", "deleted"]),
    text,
    labels: arrayOf(reference),
    flow: nullable(reference),
    attachments: noItems,
    quick_replies: noItems,
    created_on: timestamp,
    sent_on: nullable(timestamp),
    modified_on: timestamp,
    media: alwaysNull,
  }),
  resthook_events: objectOf({
    resthook: slug,
    data: { ...anyObject, examples: [{ contact: { name: "Ada" } }] },
    created_on: timestamp,
  }),
  resthook_subscribers: objectOf({ id: integer, resthook: slug, target_url: text, created_on: timestamp }),
  resthooks: objectOf({ resthook: slug, created_on: timestamp, modified_on: timestamp }),
  runs: objectOf({
    id: integer,
    uuid,
    flow: reference,
    contact: reference,
    start: nullable(objectOf({ uuid })),
    responded: boolean,
    path: arrayOf(objectOf({ node: text, time: timestamp })),
    values: mapOf(
      objectOf({
        name: text,
        value: text,
        category: nullable(text),
        node: text,
        time: timestamp,
        input: nullable(text),
        input_corrected: alwaysNull,
      }),
    ),
    created_on: timestamp,
    modified_on: timestamp,
    exited_on: nullable(timestamp),
    exit_type: nullable(oneOf(exitTypes)),
    embedded_fields: { description: "The `@embed` data of its start; null: none" },
  }),
};

/** The resources that have a list. */
export type ListedResource = keyof typeof records;
/** The record of a resource: `RecordOf<"contacts">`. */
export type RecordOf<N extends ListedResource> = ValueOf<(typeof records)[N]>;

const address: Schema<string | null> = {
  type: ["string", "null"],
  examples: [null, "http://127.0.0.1:8080/api/v2/labels.json?cursor=WzE3LDQsMF0"],
};

/** A page of a list (docs/reference/service-api.md#pagination). */
export function pageOf<R extends JsonSchema>(record: R): Schema<RecordPage<ValueOf<R>>> {
  return objectOf({
    next: described("Address of the next page", address),
    previous: described("Address of the page before", address),
    results: { ...arrayOf(record), maxItems: 250 },
  });
}

export interface RecordPage<R> {
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly R[];
}
