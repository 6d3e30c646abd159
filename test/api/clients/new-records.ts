import {
  boolean,
  dictionaryOf,
  integer,
  list,
  listOf,
  nullable,
  record,
  reference,
  simple,
  timestamp,
} from "./records.js";
import { device } from "./old-records.js";

export { campaign, label, resthook, resthookEvent, subscriber } from "./old-records.js";

// The fields that the official Python client 2.22 reads where they differ from 2.6.1
// (docs/reference/service-api.md#python-client-fields).

export const boundary = record({
  osm_id: simple<string>(),
  name: simple<string>(),
  level: integer,
  parent: nullable(record({ osm_id: simple<string>(), name: simple<string>() })),
  aliases: list<string>(),
  geometry: nullable(record({ type: simple<string>(), coordinates: simple() })),
});

export const broadcast = record({
  uuid: simple<string>(),
  status: simple<string>(),
  urns: simple<string[]>(),
  contacts: listOf(reference),
  groups: listOf(reference),
  text: simple<Record<string, string>>(),
  created_on: timestamp,
});

export const campaignEvent = record({
  uuid: simple<string>(),
  campaign: nullable(reference),
  relative_to: nullable(record({ key: simple<string>(), name: simple<string>() })),
  offset: integer,
  unit: simple<string>(),
  delivery_hour: integer,
  flow: nullable(reference),
  message: simple<Record<string, string> | null>(),
  created_on: timestamp,
});

export const channel = record({
  uuid: simple<string>(),
  name: simple<string | null>(),
  address: simple<string | null>(),
  type: simple<string>(),
  country: simple<string | null>(),
  device: nullable(device),
  last_seen: timestamp,
  created_on: timestamp,
});

export const contact = record({
  uuid: simple<string>(),
  name: simple<string | null>(),
  status: simple<string | null>(),
  language: simple<string | null>(),
  urns: list<string>(),
  groups: listOf(reference),
  flow: nullable(reference),
  fields: simple<Record<string, string | null>>(),
  created_on: timestamp,
  modified_on: timestamp,
  last_seen_on: timestamp,
});

export const definitions = record({
  version: simple<string>(),
  flows: list(),
  campaigns: list(),
  triggers: list(),
  fields: list(),
  groups: list(),
});

export const field = record({ key: simple<string>(), name: simple<string>(), type: simple<string>() });

export const flow = record({
  uuid: simple<string>(),
  name: simple<string>(),
  type: simple<string>(),
  archived: boolean,
  labels: listOf(reference),
  expires: integer,
  created_on: timestamp,
  runs: nullable(
    record({
      active: integer,
      waiting: integer,
      completed: integer,
      interrupted: integer,
      expired: integer,
      failed: integer,
    }),
  ),
  results: listOf(
    record({
      key: simple<string>(),
      name: simple<string>(),
      categories: simple<string[]>(),
      node_uuids: simple<string[]>(),
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
  exclude_active: boolean,
  params: simple<Record<string, unknown> | null>(),
  created_on: timestamp,
  modified_on: timestamp,
});

export const group = record({
  uuid: simple<string>(),
  name: simple<string>(),
  query: simple<string | null>(),
  status: simple<string>(),
  system: boolean,
  count: integer,
});

export const message = record({
  uuid: simple<string>(),
  contact: nullable(reference),
  urn: simple<string | null>(),
  channel: nullable(reference),
  direction: simple<string>(),
  type: simple<string | null>(),
  status: simple<string>(),
  visibility: simple<string>(),
  text: simple<string>(),
  labels: listOf(reference),
  attachments: listOf(record({ content_type: simple<string>(), url: simple<string>() })),
  quick_replies: listOf(record({ text: simple<string>(), extra: simple<string | null>() })),
  flow: nullable(reference),
  created_on: timestamp,
  sent_on: timestamp,
  modified_on: timestamp,
});

export const org = record({
  uuid: simple<string>(),
  name: simple<string>(),
  country: simple<string | null>(),
  languages: list<string>(),
  primary_language: simple<string | null>(),
  timezone: simple<string>(),
  date_style: simple<string>(),
  anon: simple<boolean>(),
});

export const run = record({
  uuid: simple<string>(),
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
    }),
  ),
  created_on: timestamp,
  modified_on: timestamp,
  exited_on: timestamp,
  exit_type: simple<string | null>(),
});
