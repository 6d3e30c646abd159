import type { Lab } from "../lab/index.js";
import { idWithin } from "../wire/index.js";

/** How long the ready account has been in use when it is first served. Virtual milliseconds. */
export const PAST_MS = 3_600_000;

/**
 * Plays the first hour of the ready account, as fast as it goes: what its file orders is sent, people write and call, its
 * owner files some of what came in. So every list has something to show. The lab's clock must stand, and its channels
 * should have no delivery URL: nobody who listens now is to hear of what was.
 */
export async function playPast(lab: Lab): Promise<void> {
  const { scenario, nowMs, gateway } = lab;
  // Whether somebody calls within the hour is chance; one is missed in any case.
  lab.write({ kind: "past", json: "{}" }, () =>
    gateway.logCall(1, {
      type: "mo_miss",
      phone: "+12065550120",
      timeMs: scenario.cast.startsAtMs + nowMs,
      durationS: 0,
    }),
  );
  await lab.clock?.step(PAST_MS);
  lab.write({ kind: "past", json: "{}" }, () => file(lab));
}

function file({ account, tables }: Lab): void {
  const ids = Array.from({ length: 100 }, (_, n) => idWithin(1, 1 + n));
  const [first, second] = tables.messages.byIds(ids).filter(({ direction }) => direction === "I");
  const label = tables.labels.byName("Question");
  if (first !== undefined && label !== undefined) account.messageActions.label([first], label);
  if (second !== undefined) account.messageActions.archive([second]);
}
