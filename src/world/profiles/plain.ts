import { fixed } from "../../sim/index.js";
import type { Distribution } from "../../sim/index.js";
import type { Profile } from "./profile.js";

const minute = 60_000;

/** Uniform whole milliseconds, both ends included. */
export function between(min: number, max: number): Distribution<number> {
  return { kind: "uniform", min, max, whole: true };
}

/**
 * The relayer's documented numbers and none of the faults that were only read from code. `#anchor` names a section of
 * docs/reference/handset.md; *assumed*: no source has the number, the value is a plausible one.
 */
export const plain: Profile = {
  name: "plain",

  pollEveryMs: 10 * minute, // #numbers, "Poll interval": 600 s job, 2018-12 on
  pollNeedsNetwork: true, // #sync-triggers: the 10-min job requires a network of any kind
  pollIdleMs: 0, // #sync-triggers: the 10-min job is always forced
  pollActiveMs: 0, // as above
  pollPushedMs: 0, // as above
  runsAtPoll: false, // #send-runner: after sync attempts; a poll is one

  batch: 50, // #numbers, "Reports in one sync"
  followUpAbove: 10, // #numbers, "Follow-up sync"
  quietFrom: 10, // #numbers, "Quiet rule"
  quietMs: 15_000, // #numbers, "Quiet rule"
  syncTimeoutMs: 120_000, // #numbers, "HTTP timeout"
  // #sync-steps, step 5 is part of the search for another network (#network-handling). A plain phone has one link, so
  // mechanism D1 (#duplicates-and-losses) shows by itself.
  repeatsSync: false,

  flipsNetwork: false, // as above
  prefersNetwork: "none", // #network-handling: the user's choice
  preferWaitMs: 30_000, // #network-handling
  readsOffline: false, // #incoming-texts, step 3: a backlog is reported newest first
  textTimeOffMs: 0, // #incoming-texts: the date is the phone's time of receipt
  togglesAirplane: false, // #network-handling: opt-in

  pushAfter: between(1_000, 5_000), // assumed
  pushLoses: 0, // assumed
  rejoinAfter: between(2_000, 20_000), // assumed

  dozeEveryMs: 60 * minute, // assumed; #android-limits: Doze delays jobs to maintenance windows

  retryWaitsMs: [1, 1, 1, 5, 5, 15, 15, 30, 30].map((minutes) => minutes * minute), // #numbers; ten tries in all
  retryEarlyMs: 0,
  retriesOnTime: true, // #retry-ladder: earliest next try
  sendGapMs: 1_000, // #numbers, "Pause between two messages"
  sentAfter: between(2_000, 4_000), // #android-limits: 1,000 to 1,500 segments an hour; these are 1,200 on average
  failedAfter: between(100, 500), // assumed
  earlySentAfterMs: 86_400, // #numbers, "Give-up on unanswered rows"; only with fault early-sent
  packLimit: 30, // #numbers, "Send limit", as advertised: a full 30
  packWindowMs: 30 * minute, // #numbers, "Send limit", as advertised
  historyRows: 100, // #numbers, "Local history"

  heldGap: between(100, 500), // assumed
  rings: fixed(25_000), // assumed
  talks: { kind: "lognormal", mean: 90_000, deviation: 60_000 }, // assumed
  callWaiting: false, // assumed: the network refuses a second caller

  drainPerHour: 1.5, // #assumptions: a plausible idle relayer loses 1 to 3 %/h, link included (assumption)
  chargePerHour: 25, // #assumptions: 15 to 40 %/h (assumption)
  usbChargePerHour: 10, // #assumptions: 500 mA of a computer's port
  wirelessChargePerHour: 15, // #assumptions
  taperFrom: 80, // #assumptions: from here on the charger keeps the voltage constant, and the current falls
  searchDrainPerHour: 3, // #assumptions: a phone without coverage searches at full power
  drainPerSync: 0.005, // assumed: 144 polls cost 0.7 % a day
  drainPerText: 0.01, // assumed
  bootLevel: 3, // assumed; #restart-pause-and-reset names a phone that died at 3 %
  bootMs: minute, // assumed

  faults: new Set(),
  latency: {
    // all assumed: usual round trips of each generation, one way
    GPRS: between(700, 2_500),
    EDGE: between(350, 1_200),
    UMTS: between(120, 500),
    HSPA: between(60, 250),
    LTE: between(30, 120),
    WIFI: between(15, 80),
    HSDPA: between(80, 350),
    "HSPA+": between(50, 200),
    CDMA: between(200, 900),
    NR: between(10, 50),
    BLUETOOTH: between(60, 300),
    WIMAX: between(40, 150),
  },
  linkDrainPerHour: {
    // all assumed
    none: 0,
    GPRS: 0.3,
    EDGE: 0.3,
    UMTS: 0.6,
    HSPA: 0.6,
    LTE: 0.5,
    WIFI: 0.2,
    HSDPA: 0.6,
    "HSPA+": 0.6,
    CDMA: 0.4,
    NR: 0.8,
    BLUETOOTH: 0.2,
    WIMAX: 0.9,
  },
};
