import { LabError } from "../../base/index.js";
import type { Pace } from "../../lab/index.js";
import type { Scenario } from "../../scenario/index.js";
import type { Part } from "../../world/index.js";
import { refuseCrossings } from "./crossings.js";

/**
 * Makes sure that a run can be one of several parts.
 *
 * @param run - `wanted`: the receiver's URL, `bundled` or `none`
 * @throws LabError `bad-options` for options that only the whole can have, `crosses-parts` for the scenario
 */
export function refuseToPart(
  scenario: Scenario,
  run: {
    readonly api?: unknown;
    readonly accounts?: readonly unknown[];
    readonly startAtMs?: number;
    readonly shard: Part;
    readonly wanted: string;
    readonly pace: Pace;
  },
): void {
  const refuse = (what: string, hint: string): never => {
    throw new LabError("bad-options", `${what} cannot be had in a part of a fleet`, { hint });
  };
  const whole = "play the scenario whole, without a shard";
  if (run.api !== undefined) refuse("the REST API", `its clients would see one part of the account: ${whole}`);
  if ((run.accounts ?? []).length > 0) refuse("an account's data", `it is of people in all parts: ${whole}`);
  if (scenario.startsNow && run.startAtMs === undefined) {
    refuse("'starts: now'", "each part would begin at another instant: add --start-at, or write a timestamp");
  }
  if ((scenario.drainMs ?? 0) > 0 && run.pace.kind !== "paced") {
    refuse("'drain'", `it is over when nothing waits in any part: ${whole}, or play the parts paced`);
  }
  const window = scenario.expect.find(({ overMs, fromMs }) => overMs !== undefined || fromMs !== undefined);
  if (window !== undefined) {
    refuse(
      `'${window.text}'`,
      "a moving window is of the whole fleet; hold the whole run against the bound, or play it whole",
    );
  }
  refuseCrossings(scenario, {
    count: run.shard.count,
    hasReceiver: run.wanted !== "none",
    isReceiverShared: run.wanted !== "bundled" && run.wanted !== "none" && run.pace.kind !== "paced",
  });
}
