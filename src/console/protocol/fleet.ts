/**
 * The fleet as columns: one number for each handset, in the order of channels. Columns keep a fleet of 10,000 small on
 * the wire and fast to draw.
 */

/** The columns, in the order in which a `FleetRow` has their values. */
export const fleetColumns = [
  /** Percent, 0..100, whole. */
  "battery",
  /** Bits of `handsetFlags`. */
  "flags",
  /** Index in `fleetNetworks`. */
  "network",
  /** Messages that wait for their first try or the radio's answer. */
  "pending",
  /** Messages whose last try failed. */
  "retry",
  /** Reports, texts and calls that the service does not have. */
  "unsynced",
  /** Events of this handset. */
  "events",
  /** Texts that have reached the phone. */
  "texts",
  /** Virtual seconds since the start at which the service last heard of it; -1: never. */
  "lastSeenS",
] as const;
export type FleetColumn = (typeof fleetColumns)[number];

export type FleetColumns = Readonly<Record<FleetColumn, readonly number[]>>;

/** The data links, slowest first. */
export const fleetNetworks = [
  "none",
  "GPRS",
  "EDGE",
  "UMTS",
  "HSPA",
  "LTE",
  "WIFI",
  "HSDPA",
  "HSPA+",
  "CDMA",
  "NR",
  "BLUETOOTH",
  "WIMAX",
] as const;

/** Bits of the column `flags`. */
export const handsetFlags = {
  isOn: 1,
  hasMains: 2,
  isAirplane: 4,
  isPaused: 8,
  /** The carrier does not reach it. */
  isUncovered: 16,
  /** The radio cannot send texts. */
  isSmsFaulty: 32,
  /** An alarm has not cleared. */
  hasAlarm: 64,
  /** Its clock is wrong by more than a minute. */
  isClockOff: 128,
  /** A power cut: no mains, no network. */
  isPowerCut: 256,
  /** The relayer app does not run. */
  isAppStopped: 512,
  /** Doze or a battery saver: the app works in maintenance windows only. */
  isDozing: 1024,
  /** It is not registered, or not claimed. */
  isUnclaimed: 2048,
  /** A solar panel gives power now. */
  hasSun: 4096,
} as const;

/** The states by which the page colours and counts handsets, worst first. */
export const handsetStates = ["off", "offline", "paused", "alarm", "queueing", "low", "unplugged", "fine"] as const;
export type HandsetState = (typeof handsetStates)[number];

/** Battery percent below which a phone without mains counts as low. */
const LOW_PERCENT = 25;

/** The values from which the states of a handset are derived. */
export interface StateFacts {
  readonly flags: number;
  readonly battery: number;
  readonly network: number;
  readonly pending: number;
  readonly retry: number;
  readonly unsynced: number;
}

/** The state of a handset: the worst that applies, in the order of `handsetStates`. */
export function stateOf(handset: StateFacts): HandsetState {
  return handsetStates[worstOf(statesOf(handset))] ?? "fine";
}

/** Index in `handsetStates` of the worst state in a bit set from `statesOf`. */
export function worstOf(states: number): number {
  return 31 - Math.clz32(states & -states);
}

/** All states that apply to a handset: bit 0 is the first of `handsetStates`. `fine` applies alone. */
export function statesOf({ flags, battery, network, pending, retry, unsynced }: StateFacts): number {
  let states = 0;
  if ((flags & handsetFlags.isOn) === 0) states |= bits.off;
  else {
    if (network === 0 || (flags & handsetFlags.isAirplane) !== 0) states |= bits.offline;
    if ((flags & handsetFlags.isPaused) !== 0) states |= bits.paused;
    if ((flags & (handsetFlags.hasMains | handsetFlags.hasSun)) === 0)
      states |= battery < LOW_PERCENT ? bits.low : bits.unplugged;
  }
  if ((flags & handsetFlags.hasAlarm) !== 0) states |= bits.alarm;
  if (retry > 0 || pending + unsynced >= QUEUE_FROM) states |= bits.queueing;
  return states === 0 ? bits.fine : states;
}

const bits = Object.fromEntries(handsetStates.map((state, place) => [state, 1 << place])) as Readonly<
  Record<HandsetState, number>
>;

/** Queue length from which a phone counts as queueing: shorter queues are normal. */
const QUEUE_FROM = 5;
