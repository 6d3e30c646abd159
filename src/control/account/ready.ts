import { packageFile } from "../../base/index.js";
import type { Scenario } from "../../scenario/index.js";

/** The scenario that is served by default: two handsets, thirty people, gentle traffic. */
export const readyScenarioFile: string = packageFile("scenarios/ready.yaml");

/** The account file of the ready scenario. */
export const readyAccountFile: string = packageFile("scenarios/accounts/ready.yaml");

/** A label of the ready account file: the first incoming message gets it. */
export const readyLabel = "Question";

/** A person of the ready scenario whose call is missed in the first hour. */
export const readyMissedCaller = "+12065550120";

/** The scenario of `serve --empty`. A scenario must have a handset to be read; `asServed` removes it. */
export const emptyScenarioText = "name: Empty account\nlasts: 1h\nhandsets: { nobody: { phone: '+12065550100' } }\n";

/** The scenario without an end and without bounds that stop a run. For `--empty` it also removes the handset. */
export function asServed(scenario: Scenario): Scenario {
  const isEmpty = scenario.source.text === emptyScenarioText;
  const expect = scenario.expect.map((bound) => ({ ...bound, abort: false }));
  return { ...scenario, expect, cast: { ...scenario.cast, lastsMs: Infinity, ...(isEmpty && { handsets: [] }) } };
}
