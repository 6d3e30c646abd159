import type { ServicePreset } from "./preset.js";

/**
 * The service as its documentation describes it (docs/reference/README.md#the-documentation); where that is silent, the
 * safest reading. `#anchor` names a section of docs/reference/webhook.md.
 */
export const documented: ServicePreset = {
  name: "documented",
  attempts: 4, // #retries: the first and up to 3 retries
  waitsMs: [300_000, 300_000, 300_000], // silent; #retries: 5 minutes, as real systems wait
  timeoutMs: 5_000, // silent; #transport: 5 s, as in real systems
  accepted: { listed: [200, 201], from: 0, below: 0 }, // #accepting-statuses
  retried: { listed: [400, 500], from: 0, below: 0 }, // #accepting-statuses; silent about others: not retried
  redirects: false, // silent: a 3xx is neither accepted nor retried
  spelling: "both", // #spellings: tables and samples differ, and a receiver should read both
  sampleStatus: false, // #message-events: the original samples have neither status nor direction
  moSmsStatus: "D", // #message-events: of the listed letters, the one that the built-in test page had
  clockWindowMs: 900_000, // docs/reference/handset.md#signature-and-clock: 900 s either way
  deduplicates: false, // silent: every text is kept
  deduplicatesCalls: false, // silent
  mtFail: false, // #event-types: not listed
  retriesFlows: true, // #flow-deliveries: no exception
  keepsDelivered: true, // docs/reference/handset.md#rules-for-services
  repairsIds: true, // docs/reference/handset.md#messages-at-the-service: since 2021-05
  acksUnknown: true, // docs/reference/handset.md#rules-for-services
  atomicSync: false, // silent; docs/reference/handset.md#sync-errors: as since 2024-04
  textMax: 0, // silent: texts are kept whole
  wakesSilent: true, // silent; docs/reference/handset.md#push: as real systems do since 2018-12
  alarmSilentAfterMs: 1_800_000, // #event-types: no contact for 30 minutes
  alarmLookEveryMs: 60_000, // silent: often enough that an alarm comes at its minute
  alarmBatteryBelow: 25, // #event-types has no number; #alarm-events: below 25 and not charging
  alarmBatteryEnds: "level", // silent: the condition of the alarm is no longer true
  replyToSender: false, // #json-replies: a reply without recipient is ignored and logged
  replyThrough: "answered", // silent: the delivery URL, and so the answer, belongs to the channel
  numberInUse: "refused", // silent; docs/reference/handset.md#registration: later services refuse the claim
  urnErrors: "flat", // docs/reference/service-api.md#error-bodies: flat in the documented version
  exportVersion: "number", // docs/reference/service-api.md#definitions: all versions of the client read it
};
