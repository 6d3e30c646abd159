import { spanWords } from "../charts/past-series.js";
import { moment } from "../connection/moment.js";
import { pictureMs, readyPast } from "../connection/past-state.js";
import { fleet, lab, liveLog, points, totals } from "../connection/state.js";
import { isFailing, receiverTrouble } from "../domain/receiver-health.js";
import { villageStates } from "./village-state.js";
import type { NamedVillage, PictureFacts, ReceiverState } from "./words.js";

/** Whether the page has a moment of the past and no picture of it yet: what the signals have is of now. */
export function awaitsPicture(): boolean {
  return moment.value !== undefined && pictureMs.value === undefined;
}

/** What the picture shows, now or at the shown moment of the past. @param storms - as `TrafficDesk.storms` */
export function pictureFacts(storms: readonly number[]): PictureFacts {
  const states = villageStates.value;
  const villages = (fleet.value?.groups ?? []).flatMap(({ label }, index): NamedVillage[] => {
    const state = states[index];
    return state === undefined ? [] : [{ label, state, storm: storms[index] ?? 0 }];
  });
  return {
    villages,
    receiver: moment.value === undefined ? receiverNow() : receiverAt(pictureMs.value ?? moment.value),
    retrying: totals.value?.retrying ?? 0,
  };
}

function receiverNow(): ReceiverState {
  const trouble = receiverTrouble(points.value, liveLog.value);
  if (trouble !== undefined) return { is: "failing", cause: trouble.cause };
  const accepted = totals.value?.accepted ?? 0;
  const isMissing = lab.value?.receiver === null && accepted + (totals.value?.failures ?? 0) === 0;
  return { is: isMissing ? "none" : accepted > 0 ? "fine" : "unknown" };
}

/**
 * Judged by the span of the track that contains the moment. It has failed attempts and events, but not the accepted
 * attempts: those are known only where the recording was played again.
 */
function receiverAt(atMs: number): ReceiverState {
  const [known, facts] = [readyPast(), lab.value];
  if (known === undefined || facts === undefined) return { is: "unknown" };
  const { spanMs, events, failures } = known.density;
  const nth = Math.floor(atMs / spanMs);
  const failed = failures[nth] ?? 0;
  if (!isFailing({ accepted: (events[nth] ?? 0) - failed, failed })) {
    const isMissing = known.receiver === null && failed === 0;
    return { is: (totals.value?.accepted ?? 0) > 0 ? "fine" : isMissing ? "none" : "unknown" };
  }
  const span = { fromMs: nth * spanMs, atMs: Math.min(known.untilMs, (nth + 1) * spanMs) };
  const period = `from ${spanWords(span, facts).replace("–", " to ")}`;
  return { is: "failing", cause: undefined, past: { failed, period } };
}
