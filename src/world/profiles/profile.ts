import type { Distribution } from "../../sim/index.js";
import type { Fault } from "./faults.js";
import type { LinkType, NetworkType } from "../network.js";

/** How one number of a profile or preset is written in a scenario. */
export type FieldUnit =
  /** Milliseconds in a profile, `90s` in a scenario; the field's name ends in `Ms` in the profile only. */
  | "duration"
  /** A list of durations. */
  | "durations"
  /** A distribution of durations. */
  | "span"
  /** A whole number >= 0. */
  | "count"
  /** 0..1 in a profile, `25%` in a scenario. */
  | "share"
  /** Percentage points, per hour where the name says so. */
  | "percent"
  | "flag"
  /** One of the words listed. */
  | "word";

/** Kinds of data link that an app may prefer; `data`: any link but Wi-Fi; `none`: no preference. */
export const networkPreferences = ["none", "wifi", "data"] as const;
/** One of `networkPreferences`. */
export type NetworkPreference = (typeof networkPreferences)[number];

/** Whether a link is up and of the kind that an app prefers. */
export function isPreferred(link: NetworkType, kind: NetworkPreference): boolean {
  return link !== "none" && (kind === "none" || (kind === "wifi") === (link === "WIFI"));
}

/** Unit and meaning of a field of a profile. */
export type ProfileField = {
  /** One sentence for people. */
  readonly about: string;
} & ({ readonly unit: Exclude<FieldUnit, "word"> } | { readonly unit: "word"; readonly words: readonly string[] });

/**
 * How a phone behaves: the numbers of docs/reference/handset.md#numbers. Each profile is one data file, which states
 * the source of each value.
 */
export interface Profile {
  readonly name: string;

  /** See `profileFields` for what each of these numbers means. */
  readonly pollEveryMs: number;
  readonly pollNeedsNetwork: boolean;
  readonly pollIdleMs: number;
  readonly pollActiveMs: number;
  readonly pollPushedMs: number;
  readonly runsAtPoll: boolean;

  readonly batch: number;
  readonly followUpAbove: number;
  readonly quietFrom: number;
  readonly quietMs: number;
  readonly syncTimeoutMs: number;
  readonly repeatsSync: boolean;
  readonly flipsNetwork: boolean;
  readonly prefersNetwork: NetworkPreference;
  readonly preferWaitMs: number;
  readonly readsOffline: boolean;
  readonly togglesAirplane: boolean;
  readonly textTimeOffMs: number;

  readonly pushAfter: Distribution<number>;
  readonly pushLoses: number;
  readonly rejoinAfter: Distribution<number>;

  readonly dozeEveryMs: number;

  readonly retryWaitsMs: readonly number[];
  readonly retriesOnTime: boolean;
  readonly retryEarlyMs: number;
  readonly sendGapMs: number;
  readonly sentAfter: Distribution<number>;
  readonly failedAfter: Distribution<number>;
  readonly earlySentAfterMs: number;
  readonly packLimit: number;
  readonly packWindowMs: number;
  readonly historyRows: number;

  readonly heldGap: Distribution<number>;
  readonly rings: Distribution<number>;
  readonly talks: Distribution<number>;
  readonly callWaiting: boolean;

  readonly drainPerHour: number;
  readonly chargePerHour: number;
  readonly usbChargePerHour: number;
  readonly wirelessChargePerHour: number;
  readonly taperFrom: number;
  readonly searchDrainPerHour: number;
  readonly drainPerSync: number;
  readonly drainPerText: number;
  readonly bootLevel: number;
  readonly bootMs: number;

  readonly faults: ReadonlySet<Fault>;
  /** Apps through which the phone sends, each with its own limit (1..11); absent: no limit. */
  readonly packs?: number;
  /** One way, up or down, milliseconds. */
  readonly latency: Readonly<Record<LinkType, Distribution<number>>>;
  /** Percentage points per hour that the link costs on top of `drainPerHour`. */
  readonly linkDrainPerHour: Readonly<Record<NetworkType, number>>;
}

/** The names of the profile's numbers that a scenario may override. */
export type ProfileFieldName = Exclude<keyof Profile, "name" | "faults" | "packs" | "latency" | "linkDrainPerHour">;

/** Each number of a profile that a scenario may override: its unit and its meaning. */
export const profileFields: Readonly<Record<ProfileFieldName, ProfileField>> = {
  pollEveryMs: { unit: "duration", about: "How often the phone thinks of syncing by itself." },
  pollNeedsNetwork: {
    unit: "flag",
    about: "A poll that comes due without a data link waits for the link and runs when it is back.",
  },
  pollIdleMs: {
    unit: "duration",
    about: "A poll syncs only if the last sync is at least so long ago; 0s: every poll syncs.",
  },
  pollActiveMs: { unit: "duration", about: "A poll syncs anyway if a text came or went within this time." },
  pollPushedMs: { unit: "duration", about: "A poll syncs anyway within this time of the first push since the start." },
  runsAtPoll: { unit: "flag", about: "The phone looks at its outbox at each poll too, not only after syncs." },
  batch: { unit: "count", about: "The most reports that one sync carries." },
  followUpAbove: { unit: "count", about: "With more reports left than this after a sync the phone asks for another." },
  quietFrom: { unit: "count", about: "With this number of reports queued, a forced sync keeps the quiet time." },
  quietMs: { unit: "duration", about: "The quiet time: no such sync within this time after the last one." },
  syncTimeoutMs: { unit: "duration", about: "How long the phone waits for the answer to a sync." },
  repeatsSync: { unit: "flag", about: "A sync that fails is tried once more at once, with the same body." },
  flipsNetwork: {
    unit: "flag",
    about:
      "When a sync fails and a probe of the link fails too, the app changes to the phone's second link for this sync.",
  },
  prefersNetwork: {
    unit: "word",
    words: networkPreferences,
    about:
      "The kind of link to which the app changes before each sync: wifi, or data of the mobile network; none: it leaves the links alone.",
  },
  preferWaitMs: { unit: "duration", about: "How long the app waits for such a link to come up; then it syncs on any." },
  readsOffline: {
    unit: "flag",
    about: "Texts are read as they arrive, also without a data link, so that a backlog is reported oldest first.",
  },
  togglesAirplane: {
    unit: "flag",
    about: "The app turns airplane mode on for 15 s when nothing was synced, received or sent for long.",
  },
  textTimeOffMs: {
    unit: "duration",
    about: "How far ahead of its clock the phone dates incoming texts, as one that mistakes the network's time zone.",
  },
  pushAfter: { unit: "span", about: "How long a push takes from the service to the phone." },
  pushLoses: { unit: "share", about: "The share of pushes that never arrive." },
  rejoinAfter: {
    unit: "span",
    about: "How long after data link or coverage are back the phone makes use of them.",
  },
  dozeEveryMs: { unit: "duration", about: "How often a phone that dozes lets the app work." },
  retryWaitsMs: {
    unit: "durations",
    about: "The wait before try 2, 3, …; a message fails for good when the try after the last wait fails.",
  },
  retryEarlyMs: { unit: "duration", about: "How much before the end of its wait a message is tried again." },
  retriesOnTime: {
    unit: "flag",
    about: "Messages go out the moment their wait is over or the send limit allows, not at the next pass.",
  },
  sendGapMs: { unit: "duration", about: "The pause between two messages that are handed to the radio." },
  sentAfter: {
    unit: "span",
    about: "How long the radio takes to put one segment on air; it sends one after the other.",
  },
  failedAfter: { unit: "span", about: "How long the radio takes to say that it cannot send." },
  earlySentAfterMs: {
    unit: "duration",
    about: "Fault early-sent: the age at which an unanswered message counts as sent.",
  },
  packLimit: { unit: "count", about: "The most segments that one package sends within the window." },
  packWindowMs: { unit: "duration", about: "The window of the send limit." },
  historyRows: { unit: "count", about: "How many finished messages the phone remembers by id." },
  heldGap: { unit: "span", about: "The gap between texts that the carrier held back and now hands over." },
  rings: { unit: "span", about: "How long a call rings that nobody picks up, where the call does not say." },
  talks: { unit: "span", about: "How long an answered call lasts, where the call does not say." },
  callWaiting: {
    unit: "flag",
    about: "A second caller waits while somebody talks, and is answered after that; else the line is busy.",
  },
  drainPerHour: {
    unit: "percent",
    about: "What the idle phone takes from its battery in an hour, without the link's share.",
  },
  chargePerHour: { unit: "percent", about: "What the mains add in an hour; 0: plugged in but not charging." },
  usbChargePerHour: { unit: "percent", about: "What a USB port adds in an hour." },
  wirelessChargePerHour: { unit: "percent", about: "What a wireless charger adds in an hour." },
  taperFrom: {
    unit: "percent",
    about: "The level from which charging slows down, to a fifth at 100%; 100%: it does not.",
  },
  searchDrainPerHour: {
    unit: "percent",
    about: "What the search for a network costs a phone without coverage in an hour, on top.",
  },
  drainPerSync: { unit: "percent", about: "What one sync takes from the battery." },
  drainPerText: { unit: "percent", about: "What one segment takes from the battery, in or out." },
  bootLevel: { unit: "percent", about: "The level at which a phone that had died starts again." },
  bootMs: { unit: "duration", about: "How long such a start takes." },
};
