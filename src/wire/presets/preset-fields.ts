import { exportVersionForms, spellings, type ServicePreset, urnErrorForms } from "./preset.js";

/** The unit of a setting, and its form in a scenario. */
type PresetUnit =
  /** Milliseconds in the preset, `90s` in a scenario, whose key lacks the suffix `Ms`. */
  | "duration"
  /** A list of durations. */
  | "durations"
  /** A whole number >= 0. */
  | "count"
  /** A number 0..100 in the preset, `25%` in a scenario. */
  | "percent"
  /** A set of HTTP statuses: a list of numbers and at most one range, `[404, 500..599]`. */
  | "statuses"
  | "flag"
  /** One of the words listed. */
  | "word";

/** One setting of a preset, as a scenario overrides it. */
export type PresetField = {
  /** One sentence for people: help texts and the scenario's schema. */
  readonly about: string;
} & (
  | { readonly unit: Exclude<PresetUnit, "word" | "count"> }
  /** `least`: the minimum. */
  | { readonly unit: "count"; readonly least: number }
  | { readonly unit: "word"; readonly words: readonly string[] }
);

/**
 * Every setting of a preset. A scenario's key is the property in kebab-case without a last `Ms`:
 * `alarmSilentAfterMs` is `alarm-silent-after`.
 */
export const presetFields: { readonly [P in Exclude<keyof ServicePreset, "name">]: PresetField } = {
  attempts: { unit: "count", least: 1, about: "How often an event is tried in all, the first attempt included." },
  waitsMs: {
    unit: "durations",
    about: "Virtual wait before the second, third, … attempt; the last one repeats.",
  },
  timeoutMs: { unit: "duration", about: "Wall time that a receiver has for a whole exchange, at every pace." },
  accepted: { unit: "statuses", about: "Statuses that accept an event." },
  retried: {
    unit: "statuses",
    about: "Statuses after which an event is tried again, as after transport errors; any other is refused for good.",
  },
  redirects: { unit: "flag", about: "Whether redirects are followed." },
  spelling: { unit: "word", words: spellings, about: "Names of the fields in an event's body." },
  sampleStatus: {
    unit: "flag",
    about: "Whether the sample spelling carries status and direction, which the original samples lacked.",
  },
  moSmsStatus: {
    unit: "word",
    words: ["Q", "S", "D", "E", "F", "P", "H"],
    about: "Status letter of mo_sms events; P and H are historic.",
  },
  clockWindowMs: {
    unit: "duration",
    about: "A sync is refused when the phone's clock is further off than this.",
  },
  deduplicates: {
    unit: "flag",
    about: "Whether an incoming text with the same sender, text and second as an earlier one is dropped.",
  },
  deduplicatesCalls: {
    unit: "flag",
    about: "Whether a call that one sync reports twice is dropped, as since 2020.",
  },
  mtFail: { unit: "flag", about: "Whether a message that the phone gave up posts the event mt_fail." },
  retriesFlows: { unit: "flag", about: "Whether flow events are tried again as others are; else once." },
  keepsDelivered: {
    unit: "flag",
    about: "Whether a late mt_sent leaves a delivered message at status D; else it is S again.",
  },
  acksUnknown: {
    unit: "flag",
    about:
      "Whether a report for a message that the channel does not have is acknowledged; else the phone repeats it for ever.",
  },
  repairsIds: {
    unit: "flag",
    about: "Whether a negative id in a report is taken for one that a phone cut to 32 bits; else it is unknown.",
  },
  atomicSync: {
    unit: "flag",
    about: "Whether a sync that the service fails in changes nothing; else the reports before the failure count.",
  },
  textMax: { unit: "count", least: 0, about: "Characters of an incoming text that are kept; 0: all." },
  wakesSilent: {
    unit: "flag",
    about: "Whether each phone that was silent for 15 minutes to 7 days gets a push every 10 minutes.",
  },
  alarmSilentAfterMs: { unit: "duration", about: "A channel that was silent for longer than this raises an alarm." },
  alarmLookEveryMs: { unit: "duration", about: "How often the service looks for silent channels." },
  alarmBatteryBelow: {
    unit: "percent",
    about: "A battery that is below this level and not charging raises an alarm.",
  },
  alarmBatteryEnds: {
    unit: "word",
    words: ["charging", "level"],
    about: "Whether the alarm of a low battery ends by charging only, or also at a level that is not low.",
  },
  replyToSender: {
    unit: "flag",
    about: "Whether a reply without recipient goes to the phone that the event was about; else it is ignored.",
  },
  replyThrough: {
    unit: "word",
    words: ["answered", "last-seen"],
    about: "Whether a reply goes out through the channel whose event was answered, or the one last seen.",
  },
  numberInUse: {
    unit: "word",
    words: ["accepted", "refused"],
    about: "Whether a phone can be claimed with a number that another channel has.",
  },
  urnErrors: {
    unit: "word",
    words: urnErrorForms,
    about:
      "Whether the REST API refuses a URN in a list by a flat list of messages, or under the URN's place in the list.",
  },
  exportVersion: {
    unit: "word",
    words: exportVersionForms,
    about: "Whether the version of an export is a whole number, which clients of 2017 need, or text such as 11.12.",
  },
};
