import { computed } from "@preact/signals";
import { type FleetGroup, handsetFlags, handsetStates, stateOf } from "../../protocol/index.js";
import { fleet, type FleetState } from "../connection/state.js";

/** Texts and reports on the phones of a village from which it counts as a queue. */
export const QUEUE_FROM = 20;

/** What the picture shows of a village. */
export interface VillageState {
  readonly phones: number;
  /** At least half of the phones have mains or sun. */
  readonly hasPower: boolean;
  /** At least half of the phones are on and have a data link. */
  readonly hasLink: boolean;
  /** Messages and reports that wait on its phones. */
  readonly waiting: number;
  /** Phones with an alarm that has not cleared. */
  readonly alarms: number;
  /** Texts that have reached its phones since the start. */
  readonly texts: number;
  /** Phones by state, as in `handsetStates`. */
  readonly counts: readonly number[];
}

/** States of the villages at the shown moment, in the order of the groups. */
export const villageStates = computed((): readonly VillageState[] => {
  const now = fleet.value;
  return now === undefined ? [] : now.groups.map((group) => villageStateOf(group, now));
});

/** Reads the state of a group's phones. */
export function villageStateOf({ firstChannel, count }: FleetGroup, { columns }: FleetState): VillageState {
  let [powered, linked, waiting, alarms, texts] = [0, 0, 0, 0, 0];
  const counts = handsetStates.map(() => 0);
  const power = handsetFlags.hasMains | handsetFlags.hasSun;
  for (let index = firstChannel - 1; index < firstChannel - 1 + count; index++) {
    const facts = factsAt(columns, index);
    const { flags } = facts;
    if ((flags & power) !== 0) powered++;
    if ((flags & handsetFlags.isOn) !== 0 && (flags & handsetFlags.isAirplane) === 0 && facts.network !== 0) linked++;
    if ((flags & handsetFlags.hasAlarm) !== 0) alarms++;
    waiting += facts.pending + facts.retry + facts.unsynced;
    texts += columns.texts[index] ?? 0;
    const state = handsetStates.indexOf(stateOf(facts));
    counts[state] = (counts[state] ?? 0) + 1;
  }
  return {
    phones: count,
    hasPower: 2 * powered >= count,
    hasLink: 2 * linked >= count,
    waiting,
    alarms,
    texts,
    counts,
  };
}

/** The values of a handset from which its state is derived. */
export function factsAt(columns: FleetState["columns"], index: number) {
  const at = (name: "flags" | "battery" | "network" | "pending" | "retry" | "unsynced"): number =>
    columns[name][index] ?? 0;
  return {
    flags: at("flags"),
    battery: at("battery"),
    network: at("network"),
    pending: at("pending"),
    retry: at("retry"),
    unsynced: at("unsynced"),
  };
}
