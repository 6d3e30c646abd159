import type { Profile } from "./profile.js";
import { between, plain } from "./plain.js";

const minute = 60_000;

/**
 * The app of 2017 (to 2018-12): a tick every minute, the send limit, and the faults of its code. See
 * docs/reference/handset.md.
 */
export const profile2017: Profile = {
  ...plain,
  name: "2017",

  pollEveryMs: minute, // #numbers, "Poll interval": 60 s tick
  pollNeedsNetwork: false, // #sync-triggers: an alarm, whatever the network
  pollIdleMs: 5 * minute, // #numbers, "Forced sync of the 60 s tick"
  pollActiveMs: 15 * minute, // as above
  pollPushedMs: 90 * minute, // as above
  runsAtPoll: true, // #send-runner: up to 2018 also every minute

  repeatsSync: true, // #sync-steps, step 5
  flipsNetwork: true, // as above
  readsOffline: true, // #backlog: the oldest queued first

  pushAfter: between(1_000, 30_000), // assumed
  pushLoses: 0.02, // assumed

  retriesOnTime: false, // #send-runner: only when the runner runs
  packs: 1, // #assumptions
  packLimit: 29, // #numbers, "Effective limit": already sent + needed < 30
  packWindowMs: 32 * minute, // #numbers, "Send limit": the app measures 30 + 2 min

  faults: new Set([
    "early-sent",
    "callbacks-lost",
    "failed-resend",
    "regress-after-delivered",
    "inbox-mark",
    "call-log-newest-only",
    "call-log-repeats",
    "no-mt-miss",
  ]),
};
