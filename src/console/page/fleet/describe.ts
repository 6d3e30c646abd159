import { fleetNetworks } from "../../protocol/index.js";
import { formatCount, formatDistance } from "../format/index.js";
import type { FleetModel } from "./fleet-model.js";
import { stateLooks } from "../domain/handset-state.js";
import { type HandsetIndex, titleOf } from "./names.js";

/** Words about a handset, shared by several parts of the view. */

/** `2 min ago`, in virtual time. */
export function lastSeenWords({ columns }: FleetModel, index: HandsetIndex, nowMs: number | undefined): string {
  const seenS = columns.lastSeenS[index] ?? -1;
  if (seenS < 0) return "never";
  return nowMs === undefined ? "" : formatDistance(Math.min(0, seenS * 1000 - nowMs));
}

/** `LTE`, `No network`, `Airplane mode`. */
export function networkWords(model: FleetModel, index: HandsetIndex): string {
  if (model.hasFlag(index, "isAirplane")) return "Airplane mode";
  const network = fleetNetworks[model.columns.network[index] ?? 0];
  return network === undefined || network === "none" ? "No network" : network;
}

/** Bars of the signal icon, 0..4: the faster the link, the more. */
export function signalLevel(model: FleetModel, index: HandsetIndex): number {
  if (model.hasFlag(index, "isAirplane") || !model.hasFlag(index, "isOn")) return 0;
  return [0, 1, 2, 3, 3, 4, 4][model.columns.network[index] ?? 0] ?? 0;
}

/** `87%, charging` */
export function batteryWords(model: FleetModel, index: HandsetIndex): string {
  const percent = model.columns.battery[index] ?? 0;
  if (!model.hasFlag(index, "hasMains"))
    return `${percent}%, on ${model.hasFlag(index, "hasSun") ? "solar power" : "battery"}`;
  return percent < 100 ? `${percent}%, charging` : "100%, plugged in";
}

/** Unusual conditions beside state, network and battery. */
export function oddities(model: FleetModel, index: HandsetIndex): string[] {
  return [
    model.hasFlag(index, "isPowerCut") && "Its place has no power",
    model.hasFlag(index, "isUncovered") && "The carrier does not reach it",
    model.hasFlag(index, "isSmsFaulty") && "It cannot send texts",
    model.hasFlag(index, "isClockOff") && "Its clock is wrong",
    model.hasFlag(index, "isPaused") && "The relayer app is paused",
    model.hasFlag(index, "isAppStopped") && "The relayer app is not running",
    model.hasFlag(index, "isDozing") && "Android lets the app work only now and then",
    model.hasFlag(index, "isUnclaimed") && "It is not claimed at the service",
    model.hasFlag(index, "hasAlarm") && "An alarm has not cleared",
  ].filter((words) => words !== false);
}

/** The queue in words: `12 waiting (3 to retry, 4 not synced)`. */
export function queueWords({ columns }: FleetModel, index: HandsetIndex): string {
  const [pending, retry, unsynced] = [
    columns.pending[index] ?? 0,
    columns.retry[index] ?? 0,
    columns.unsynced[index] ?? 0,
  ];
  const parts = [
    pending > 0 && `${formatCount(pending)} to send`,
    retry > 0 && `${formatCount(retry)} to retry`,
    unsynced > 0 && `${formatCount(unsynced)} to report`,
  ].filter((words) => words !== false);
  return parts.length === 0 ? "nothing waits" : parts.join(", ");
}

/** A handset in one sentence, for screen readers. */
export function handsetSentence(model: FleetModel, index: HandsetIndex): string {
  const { label } = stateLooks[model.stateAt(index)];
  return [
    `${titleOf(model.groups, index)}: ${label}`,
    `battery ${batteryWords(model, index)}`,
    networkWords(model, index),
    queueWords(model, index),
  ].join(", ");
}
