import type { ServicePreset } from "./preset.js";

/** The service as its reference describes it; where that is silent, the safest reading of it. */
export const documented: ServicePreset = {
  name: "documented",
  attempts: 4, // service.md, "Webhook response" 2: "retries delivery, up to three times", so the first and three more
  waitsMs: [300_000, 300_000, 300_000], // reference silent; webhook.md 6.2: a constant 5 minutes
  timeoutMs: 5_000, // reference silent; webhook.md 1: 5 s
  accepted: { listed: [200, 201], from: 0, below: 0 }, // service.md, "Webhook response" 1
  retried: { listed: [400, 500], from: 0, below: 0 }, // service.md, "Webhook response" 2; others: webhook.md 6.2
  redirects: false, // reference silent: a 3xx is neither accepted nor retried
  spelling: "both", // service.md, "Events": table and samples differ, "a receiver should accept both spellings"
  sampleStatus: false, // webhook.md 2: the original samples had neither status nor direction
  moSmsStatus: "D", // service.md allows Q, S, D, E, F; webhook.md 2 suggests D for a text that has come in
  clockWindowMs: 900_000, // handset.md 13.2: |now - ts| <= 900 s
  alarmSilentAfterMs: 1_800_000, // service.md, "Event types": "a channel silent for over 30 minutes"
  alarmLookEveryMs: 60_000, // reference silent: often enough that an alarm comes at its minute
  alarmBatteryBelow: 25, // reference: "a very low battery"; webhook.md 4: level < 25 and not charging
  replyToSender: false, // webhook.md 6.3: without recipient a reply is ignored and logged
  replyThrough: "answered", // reference silent: the delivery URL, and so the answer, belongs to the channel
  urnErrors: "flat", // service-api.md 1.6: flat in the reference's era
};
