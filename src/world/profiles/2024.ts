import type { Profile } from "./profile.js";
import { profile2017 } from "./2017.js";
import { plain } from "./plain.js";

/**
 * The app of 2023 to 2024 (v2.1): a job every ten minutes, and silence after a reboot until somebody opens it.
 * Fault `packs-uncounted` is left out: with one pack it stops all sending, and no store build may have it (3.3).
 */
export const profile2024: Profile = {
  ...profile2017,
  name: "2024",

  pollEveryMs: plain.pollEveryMs, // 2, "Poll interval": 600 s job from 2018-12 on
  pollNeedsNetwork: true, // 7.1
  pollIdleMs: 0, // 7.1: always forced
  pollActiveMs: 0,
  pollPushedMs: 0,
  runsAtPoll: false, // 3.3: since 2018-12 after sync attempts only

  faults: new Set([...profile2017.faults, "stale-after-reboot", "unopened-after-reboot", "answer-late"]), // 6, 7.5, 8
};
