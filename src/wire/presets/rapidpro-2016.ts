import type { ServicePreset } from "./preset.js";

/** What open-source RapidPro did in 2016. */
export const rapidpro2016: ServicePreset = {
  name: "rapidpro-2016",
  attempts: 3, // webhook.md 6.2: three attempts in all, the first counts
  waitsMs: [300_000, 300_000], // webhook.md 6.2: next attempt due in 5 minutes, no backoff
  timeoutMs: 5_000, // webhook.md 1: 5 s from 2016-05-31 on
  accepted: { listed: [], from: 0, below: 400 }, // webhook.md 6.1: only >= 400 was an error
  retried: { listed: [], from: 400, below: 1000 }, // webhook.md 6.1: every 4xx and 5xx; a status has three digits
  redirects: true, // webhook.md 1: followed, the final answer counts
  spelling: "historic", // webhook.md, "Three spellings"
  sampleStatus: false, // of no effect here: this spelling always has them
  moSmsStatus: "P", // webhook.md 2: captured bodies say P, pending
  clockWindowMs: 900_000, // handset.md 13.2: |now - ts| <= 900 s
  alarmSilentAfterMs: 1_800_000, // webhook.md 4: no sync for > 30 minutes
  alarmLookEveryMs: 300_000, // webhook.md 4: checked each 5 minutes
  alarmBatteryBelow: 25, // webhook.md 4: level < 25 and not charging
  replyToSender: false, // webhook.md 6.3: a reply without recipient was an error, ignored and logged
  replyThrough: "last-seen", // webhook.md 6.3: `channel` defaulted to the last-seen channel
  urnErrors: "flat", // service-api.md 1.6: indexed from version 5 on
};
