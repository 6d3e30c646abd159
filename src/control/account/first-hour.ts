import type { Lab } from "../../lab/index.js";
import { idWithin } from "../../wire/index.js";
import { readyLabel, readyMissedCaller } from "./ready.js";

/** Length of the ready account's history when it is first served. Virtual milliseconds. */
export const FIRST_HOUR_MS = 3_600_000;

/**
 * Plays the first hour of the ready account as fast as possible, so that every list of the API has rows. It sends the
 * broadcasts of the account file; people text and call; it labels one message and archives one.
 *
 * The lab's clock must be paused. Its channels should have no delivery URL, so that a receiver does not get old events.
 */
export async function playFirstHour(lab: Lab): Promise<void> {
  logMissedCall(lab);
  await lab.clock?.step(FIRST_HOUR_MS);
  fileFirstMessages(lab);
}

/** Calls within the hour are random; this one makes sure that the list of calls is not empty. */
export function logMissedCall(lab: Lab): void {
  const timeMs = lab.scenario.cast.startsAtMs;
  lab.write({ kind: "past", json: "{}" }, () =>
    lab.gateway.logCall(1, { type: "mo_miss", phone: readyMissedCaller, timeMs, durationS: 0 }),
  );
}

/** Labels the first incoming message of channel 1 and archives the second. */
export function fileFirstMessages(lab: Lab): void {
  lab.write({ kind: "past", json: "{}" }, () => fileMessages(lab));
}

function fileMessages({ account, tables }: Lab): void {
  const ids = Array.from({ length: 100 }, (_, n) => idWithin(1, 1 + n));
  const [first, second] = tables.messages.byIds(ids).filter(({ direction }) => direction === "I");
  const label = tables.labels.byName(readyLabel);
  if (first !== undefined && label !== undefined) account.messageActions.label([first], label);
  if (second !== undefined) account.messageActions.archive([second]);
}
