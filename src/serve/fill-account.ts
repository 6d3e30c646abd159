import type { Lab } from "../lab/index.js";
import { accountsOf, loadSources } from "./account-source.js";
import { playFirstHour } from "./first-hour.js";
import type { LabHost } from "./lab-host.js";
import { type ServeSession, wallTimeOf } from "./session.js";

/** Loads the account files of a new account, and plays its first hour. @returns problems, one sentence each */
export async function fillAccount(session: ServeSession, host: LabHost): Promise<readonly string[]> {
  const { opened } = session;
  const leavesOutFlows = session.options.leavesOutFlows ?? false;
  const ofScenario = opened.isNew ? accountsOf(session.scenario) : [];
  const sources = opened.continuesDatabase ? [] : [...ofScenario, ...session.accounts];
  const { problems } = await loadSources(
    sources.map((source) => (source.kind === "text" ? { ...source, leavesOutFlows } : source)),
    () => host.current.lab,
  );
  if (session.playsFirstHour) await catchUp(session, host.current.lab);
  return problems;
}

/** Plays the first hour without a receiver, then sets the delivery URL and the clock. */
async function catchUp(session: ServeSession, lab: Lab): Promise<void> {
  const { options, url } = session;
  await playFirstHour(lab);
  const wallTime = wallTimeOf(session);
  if (wallTime !== undefined) lab.clock?.leapTo(wallTime());
  lab.write({ kind: "delivery-url", json: JSON.stringify({ url }) }, () => {
    const { handsetCount } = lab.world.population;
    for (let channel = 1; channel <= handsetCount; channel++) lab.gateway.setDeliveryUrl(channel, url);
  });
  if (options.isPaused !== true) lab.clock?.resume();
}
