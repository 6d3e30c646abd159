import type { ServicePreset } from "./preset.js";

/** What open-source RapidPro did in 2016. `#anchor` names a section of docs/reference/webhook.md. */
export const rapidpro2016: ServicePreset = {
  name: "rapidpro-2016",
  attempts: 3, // #retries: 3 in all, the first included
  waitsMs: [300_000, 300_000], // #retries: 5 minutes, no backoff
  timeoutMs: 5_000, // #transport: 5 s from 2016-05-31 on
  accepted: { listed: [], from: 0, below: 400 }, // #accepting-statuses: only 400 and above are errors
  retried: { listed: [], from: 400, below: 1000 }, // #accepting-statuses: every 4xx and 5xx; a status has three digits
  redirects: true, // #transport: followed, the final answer counts
  spelling: "historic", // #spellings
  sampleStatus: false, // without effect: this spelling always has them
  moSmsStatus: "P", // #message-events: captured bodies say P, pending
  clockWindowMs: 900_000, // docs/reference/handset.md#signature-and-clock: 900 s either way
  deduplicates: true, // docs/reference/handset.md#duplicates-at-the-service
  deduplicatesCalls: false, // docs/reference/handset.md#duplicates-at-the-service: only since 2020-05
  mtFail: true, // #event-types: after a final failure
  retriesFlows: false, // #flow-deliveries: tried once
  keepsDelivered: false, // docs/reference/handset.md#messages-at-the-service: no check of the order
  repairsIds: false, // docs/reference/handset.md#messages-at-the-service: since 2021-05 only
  acksUnknown: false, // docs/reference/handset.md#messages-at-the-service: not acknowledged
  atomicSync: true, // docs/reference/handset.md#sync-errors: one transaction until 2024-04
  textMax: 640, // docs/reference/handset.md#numbers
  wakesSilent: false, // docs/reference/handset.md#push: only since 2018-12
  alarmSilentAfterMs: 1_800_000, // #alarm-events: no sync for 30 minutes
  alarmLookEveryMs: 300_000, // #alarm-events: checked every 5 minutes
  alarmBatteryBelow: 25, // #alarm-events: below 25 and not charging
  alarmBatteryEnds: "charging", // docs/reference/handset.md#alarm-conditions
  replyToSender: false, // #json-replies: a reply without recipient is ignored and logged
  replyThrough: "last-seen", // #json-replies: `channel` defaults to the channel last seen
  numberInUse: "accepted", // docs/reference/handset.md#registration
  urnErrors: "flat", // docs/reference/service-api.md#error-bodies: indexed from version 5 on
  exportVersion: "number", // docs/reference/service-api.md#definitions: text since mid-2017
};
