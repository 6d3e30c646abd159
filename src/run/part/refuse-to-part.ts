import { LabError } from "../../base/index.js";
import { checksOf, type Scenario } from "../../scenario/index.js";
import type { Part } from "../../world/index.js";
import type { RunOptions } from "../run-options.js";
import { type Pace, refuseCrossings } from "../../lab/index.js";

/**
 * Rejects a scenario that cannot be played as one of several parts.
 *
 * @param run - `receiver`: a URL, `bundled` or `none`
 * @throws LabError `bad-options` for settings that need the whole fleet, `crosses-parts` for people and handsets that
 *   act across parts
 */
export function refuseToPart(
  scenario: Scenario,
  run: Pick<RunOptions, "startAtMs" | "startWhenAllReady"> & {
    readonly shard: Part;
    readonly receiver: string;
    readonly pace: Pace;
  },
): void {
  const refuse = (setting: string, hint: string): never => {
    throw new LabError("bad-options", `${setting} does not work in a part of a fleet`, { hint });
  };
  if (scenario.startsNow && run.startAtMs === undefined && run.startWhenAllReady === undefined) {
    refuse(
      "'starts: now'",
      "each part would begin at another instant: add --start-when-all-ready or --start-at, or write a timestamp",
    );
  }
  if (scenario.data !== undefined) {
    refuse("'data'", "the account spans all parts: play the scenario in one process");
  }
  if ((scenario.drainMs ?? 0) > 0 && run.pace.kind !== "paced") {
    refuse("'drain'", "it ends when nothing waits in any part: play the scenario in one process, or with --pace 1x");
  }
  const [check] = checksOf(scenario);
  if (check !== undefined) {
    refuse(
      `'${check.text}'`,
      "no part knows when the others have come so far: play the scenario in one process, or ask after 'handset merge'",
    );
  }
  const window = scenario.expect.find(({ overMs, fromMs }) => overMs !== undefined || fromMs !== undefined);
  if (window !== undefined) {
    refuse(
      `'${window.text}'`,
      "a moving window covers the whole fleet: bound the whole run, or play the scenario in one process",
    );
  }
  refuseCrossings(scenario, {
    count: run.shard.count,
    hasReceiver: run.receiver !== "none",
    isReceiverShared: run.receiver !== "bundled" && run.receiver !== "none" && run.pace.kind !== "paced",
  });
}
