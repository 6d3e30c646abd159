import {
  boolean,
  dictionaryOf,
  integer,
  listOf,
  nullable,
  optional,
  record,
  reference,
  simple,
  timestamp,
} from "./records.js";

// The fields that the official Python client 2.6.1 reads; all of them must be there
// (docs/reference/service-api.md#python-client-fields).

export const boundary = record({
  osm_id: simple<string>(),
  name: simple<string>(),
  level: integer,
  parent: nullable(record({ osm_id: simple<string>(), name: simple<string>() })),
  aliases: simple<string[]>(),
  geometry: nullable(record({ type: simple<string>(), coordinates: simple() })),
});

export const broadcast = record({
  id: integer,
  status: optional(simple<string>()),
  urns: simple<string[]>(),
  contacts: listOf(reference),
  groups: listOf(reference),
  text: simple<Record<string, string>>(),
  created_on: timestamp,
});

export const campaign = record({
  uuid: simple<string>(),
  name: simple<string>(),
  archived: boolean,
  group: nullable(reference),
  created_on: timestamp,
});

export const campaignEvent = record({
  uuid: simple<string>(),
  campaign: nullable(reference),
  relative_to: nullable(record({ key: simple<string>(), label: simple<string>() })),
  offset: integer,
  unit: simple<string>(),
  delivery_hour: integer,
  flow: nullable(reference),
  message: simple<Record<string, string> | null>(),
  created_on: timestamp,
});

export const device = record({
  name: simple<string | null>(),
  power_level: integer,
  power_status: simple<string | null>(),
  power_source: simple<string | null>(),
  network_type: simple<string | null>(),
});

export const channel = record({
  uuid: simple<string>(),
  name: simple<string | null>(),
  address: simple<string | null>(),
  country: simple<string | null>(),
  device: nullable(device),
  last_seen: timestamp,
  created_on: timestamp,
});

export const channelEvent = record({
  id: integer,
  type: simple<string>(),
  contact: nullable(reference),
  channel: nullable(reference),
  extra: simple<Record<string, unknown> | null>(),
  occurred_on: timestamp,
  created_on: timestamp,
});

export const contact = record({
  uuid: simple<string>(),
  name: simple<string | null>(),
  language: simple<string | null>(),
  urns: simple<string[]>(),
  groups: listOf(reference),
  fields: simple<Record<string, string | null>>(),
  blocked: boolean,
  stopped: boolean,
  created_on: timestamp,
  modified_on: timestamp,
});

/** `version` as clients before 2.1.9 read it: 2.6.1 takes text, too. */
export const definitions = record({
  version: integer,
  flows: simple<unknown[]>(),
  campaigns: simple<unknown[]>(),
  triggers: simple<unknown[]>(),
});

export const field = record({ key: simple<string>(), label: simple<string>(), value_type: simple<string>() });

export const flow = record({
  uuid: simple<string>(),
  name: simple<string>(),
  archived: boolean,
  labels: listOf(reference),
  expires: integer,
  created_on: timestamp,
  runs: nullable(record({ active: integer, completed: integer, interrupted: integer, expired: integer })),
  results: listOf(
    record({
      key: simple<string>(),
      name: simple<string>(),
      categories: simple<string[]>(),
      node_uuids: optional(simple<string[]>()),
    }),
  ),
});

export const flowStart = record({
  uuid: simple<string>(),
  flow: nullable(reference),
  groups: listOf(reference),
  contacts: listOf(reference),
  status: simple<string>(),
  restart_participants: boolean,
  extra: simple<Record<string, unknown> | null>(),
  created_on: timestamp,
  modified_on: timestamp,
});

export const group = record({
  uuid: simple<string>(),
  name: simple<string>(),
  query: simple<string | null>(),
  count: integer,
});

export const label = record({ uuid: simple<string>(), name: simple<string>(), count: integer });

export const message = record({
  id: integer,
  broadcast: integer,
  contact: nullable(reference),
  urn: simple<string | null>(),
  channel: nullable(reference),
  direction: simple<string>(),
  type: simple<string | null>(),
  status: simple<string>(),
  visibility: optional(simple<string>()),
  text: simple<string>(),
  labels: listOf(reference),
  created_on: timestamp,
  sent_on: timestamp,
  modified_on: optional(timestamp),
});

export const org = record({
  name: simple<string>(),
  country: simple<string | null>(),
  languages: simple<string[]>(),
  primary_language: simple<string | null>(),
  timezone: simple<string>(),
  date_style: simple<string>(),
  anon: simple<boolean>(),
});

export const resthook = record({ resthook: simple<string>(), created_on: timestamp, modified_on: timestamp });

export const resthookEvent = record({ resthook: simple<string>(), data: simple(), created_on: timestamp });

export const subscriber = record({
  id: integer,
  resthook: simple<string>(),
  target_url: simple<string>(),
  created_on: timestamp,
});

export const run = record({
  id: integer,
  flow: nullable(reference),
  contact: nullable(reference),
  start: nullable(record({ uuid: simple<string>() })),
  responded: boolean,
  path: listOf(record({ node: simple<string>(), time: timestamp })),
  values: dictionaryOf(
    record({
      value: simple(),
      category: simple<string | null>(),
      node: simple<string>(),
      time: timestamp,
      name: simple<string>(),
      input: simple<string | null>(),
    }),
  ),
  created_on: timestamp,
  modified_on: timestamp,
  exited_on: timestamp,
  exit_type: simple<string | null>(),
});
