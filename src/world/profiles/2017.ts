import type { Profile } from "./profile.js";
import { between, plain } from "./plain.js";

const minute = 60_000;

/** The app of 2017 (to 2018-12): a tick every minute, the send limit, and what its code does wrong. See handset.md. */
export const profile2017: Profile = {
  ...plain,
  name: "2017",

  pollEveryMs: minute, // 2, "Poll interval": 60 s tick
  pollNeedsNetwork: false, // 7.1: an alarm, whatever the network
  pollIdleMs: 5 * minute, // 2, "Forced sync in the 60 s era"
  pollActiveMs: 15 * minute, // as above
  pollPushedMs: 90 * minute, // as above
  runsAtPoll: true, // 3.3: up to 2018 also every minute

  repeatsSync: true, // 7.2, step 7
  deduplicates: true, // 9.2

  pushAfter: between(1_000, 30_000), // assumed
  pushLoses: 0.02, // assumed

  retriesOnTime: false, // 3.3: only when the runner runs
  packs: 1, // 14
  packLimit: 29, // 2, "Effective limit": already sent + needed < 30
  packWindowMs: 32 * minute, // 2, "Send limit": the app measures 30 + 2 min

  faults: new Set([
    "early-sent",
    "callbacks-lost",
    "failed-resend",
    "regress-after-delivered",
    "inbox-mark",
    "call-log-newest-only",
    "call-log-repeats",
  ]),
};
