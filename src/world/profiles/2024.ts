import type { Profile } from "./profile.js";
import { profile2017 } from "./2017.js";
import { plain } from "./plain.js";

/**
 * The app of 2023 to 2024 (v2.1): a job every ten minutes, and silence after a reboot until the user opens it. Fault
 * `packs-uncounted` is left out: with one pack it stops all sending, and no store build may have it
 * (docs/reference/handset.md#send-runner).
 */
export const profile2024: Profile = {
  ...profile2017,
  name: "2024",

  pollEveryMs: plain.pollEveryMs, // #numbers, "Poll interval": 600 s job from 2018-12 on
  pollNeedsNetwork: true, // #sync-triggers
  pollIdleMs: 0, // #sync-triggers: always forced
  pollActiveMs: 0,
  pollPushedMs: 0,
  retryEarlyMs: 5_000, // assumed: 30 min are three periods of the job; with exact polls the wait would end after the third one
  runsAtPoll: false, // #send-runner: since 2018-12 after sync attempts only

  // #status-report, #faults-of-version-21, #restart-pause-and-reset, #call-log
  faults: new Set([
    ...profile2017.faults,
    "call-log-observers",
    "stale-after-reboot",
    "unopened-after-reboot",
    "answer-late",
  ]),
};
