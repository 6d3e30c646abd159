import type { Lab } from "../lab/index.js";
import { idWithin } from "../wire/index.js";
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
  const { scenario, nowMs, gateway } = lab;
  // Calls within the hour are random; this one makes sure that the list of calls is not empty.
  lab.write({ kind: "past", json: "{}" }, () =>
    gateway.logCall(1, {
      type: "mo_miss",
      phone: readyMissedCaller,
      timeMs: scenario.cast.startsAtMs + nowMs,
      durationS: 0,
    }),
  );
  await lab.clock?.step(FIRST_HOUR_MS);
  lab.write({ kind: "past", json: "{}" }, () => fileMessages(lab));
}

/** Labels the first incoming message of channel 1 and archives the second. */
function fileMessages({ account, tables }: Lab): void {
  const ids = Array.from({ length: 100 }, (_, n) => idWithin(1, 1 + n));
  const [first, second] = tables.messages.byIds(ids).filter(({ direction }) => direction === "I");
  const label = tables.labels.byName(readyLabel);
  if (first !== undefined && label !== undefined) account.messageActions.label([first], label);
  if (second !== undefined) account.messageActions.archive([second]);
}
