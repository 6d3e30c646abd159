import { packageFile } from "../base/index.js";
import type { Scenario } from "../scenario/index.js";

/** The scenario that is served when nothing is named: two handsets, thirty people, gentle traffic. */
export const readyScenarioFile: string = packageFile("scenarios/ready.yaml");

/** The account that goes with it. */
export const readyAccountFile: string = packageFile("scenarios/accounts/ready.yaml");

/** A scenario in which nobody lives. A scenario needs a handset to be read; whoever serves it leaves it out. */
export const emptyScenarioText = "name: Empty account\nlasts: 1h\nhandsets: { nobody: { phone: '+12065550100' } }\n";

/** The scenario as it is served: that of an empty account has no handsets. */
export function asServed(scenario: Scenario): Scenario {
  const isEmpty = scenario.source.text === emptyScenarioText;
  // A service has no end at which something must hold.
  return { ...scenario, expect: [], cast: { ...scenario.cast, lastsMs: Infinity, ...(isEmpty && { handsets: [] }) } };
}
