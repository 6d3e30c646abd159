import { type Lab, readUnfinishedLoad } from "../lab/index.js";
import { type AccountSource, accountsOf, sourceOfInput, loadSources, playFirstHour } from "../control/index.js";
import type { Slot } from "./slot.js";
import { type ServeSession, wallTimeOf } from "./session.js";

/**
 * Loads the account files of a new account, or the rest of an interrupted load, and plays the first hour.
 *
 * @returns problems, one sentence each
 */
export async function fillAccount(session: ServeSession, slot: Slot): Promise<readonly string[]> {
  const { problems } = await loadSources(sourcesOf(session, slot), () => slot.current.lab);
  if (session.playsFirstHour) await catchUp(session, slot.current.lab);
  return problems;
}

function sourcesOf(session: ServeSession, slot: Slot): AccountSource[] {
  const { opened, options } = session;
  if (opened.continuesDatabase) {
    const unfinished = readUnfinishedLoad(slot.current.recording);
    if (unfinished === undefined) return [];
    return [{ ...sourceOfInput(unfinished.json), repeatedDone: unfinished.repeatedDone }];
  }
  const { leavesOutFlows = false } = options;
  const ofScenario = opened.isNew ? accountsOf(session.scenario) : [];
  return [...ofScenario, ...session.accounts].map((source) =>
    source.kind === "text" ? { ...source, leavesOutFlows } : source,
  );
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
