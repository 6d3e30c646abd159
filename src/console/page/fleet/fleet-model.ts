import {
  type FleetColumn,
  fleetColumns,
  type FleetGroup,
  type HandsetState,
  handsetFlags,
  handsetStates,
  statesOf,
  worstOf,
} from "../../protocol/index.js";
import type { FleetFacts } from "./arrangement.js";
import type { HandsetIndex } from "./names.js";

/** The fleet from the stream. */
export interface FleetSource {
  readonly groups: readonly FleetGroup[];
  readonly count: number;
  readonly columns: Readonly<Record<FleetColumn, Int32Array>>;
  /** Channels; undefined: all. */
  readonly changed: readonly number[] | undefined;
  readonly version: number;
}

/** Bits of `FleetChange.pulses`. */
export const pulse = { text: 1, event: 2 } as const;

/** The changes of an update. The next update reuses the arrays. */
export interface FleetChange {
  readonly isAll: boolean;
  /** The changed handsets: the first `count` of them. */
  readonly indexes: Uint32Array;
  readonly count: number;
  /** For each handset: whether a text arrived or an event was sent in this update. */
  readonly pulses: Uint8Array;
}

/** Derives states, counts and recent activity from the columns, without an object per handset. */
export class FleetModel implements FleetFacts {
  groups: readonly FleetGroup[] = [];
  count = 0;
  columns: FleetFacts["columns"] = Object.fromEntries(
    fleetColumns.map((name) => [name, new Int32Array(0)]),
  ) as unknown as FleetFacts["columns"];
  states = new Uint8Array(0);
  applying = new Uint8Array(0);
  /** Number of handsets in each state, in the order of `handsetStates`. */
  readonly counts = new Int32Array(handsetStates.length);
  #version = -1;
  #texts = new Int32Array(0);
  #events = new Int32Array(0);
  #indexes = new Uint32Array(0);
  #pulses = new Uint8Array(0);
  #pulsed = 0;

  /** Applies an update of the stream. */
  update(source: FleetSource): FleetChange {
    const isOther = source.count !== this.count || source.groups !== this.groups;
    const isAll = source.changed === undefined || isOther || source.version !== this.#version + 1;
    this.#version = source.version;
    this.columns = source.columns;
    if (isOther) this.#resize(source);
    for (let at = 0; at < this.#pulsed; at++) this.#pulses[this.#indexes[at] ?? 0] = 0;
    const count = isAll ? this.#applyAll(isOther || source.changed === undefined) : this.#take(source.changed ?? []);
    this.#pulsed = count;
    return { isAll, indexes: this.#indexes, count, pulses: this.#pulses };
  }

  stateAt(index: HandsetIndex): HandsetState {
    return handsetStates[this.states[index] ?? 0] ?? "fine";
  }

  hasFlag(index: HandsetIndex, flag: keyof typeof handsetFlags): boolean {
    return ((this.columns.flags[index] ?? 0) & handsetFlags[flag]) !== 0;
  }

  #resize({ groups, count }: FleetSource): void {
    this.groups = groups;
    this.count = count;
    this.states = new Uint8Array(count);
    this.applying = new Uint8Array(count);
    this.#texts = new Int32Array(count);
    this.#events = new Int32Array(count);
    this.#indexes = new Uint32Array(count);
    this.#pulses = new Uint8Array(count);
    this.#pulsed = 0;
  }

  /** @param isQuiet - a snapshot: earlier activity does not pulse */
  #applyAll(isQuiet: boolean): number {
    this.counts.fill(0);
    for (let index = 0; index < this.count; index++) {
      this.#indexes[index] = index;
      this.#count(0, this.#takeStates(index));
      if (isQuiet) {
        this.#texts[index] = this.columns.texts[index] ?? 0;
        this.#events[index] = this.columns.events[index] ?? 0;
      } else this.#markPulse(index);
    }
    return this.count;
  }

  #take(channels: readonly number[]): number {
    let count = 0;
    for (const channel of channels) {
      const index = channel - 1;
      if (index < 0 || index >= this.count) continue;
      this.#indexes[count++] = index;
      this.#markPulse(index);
      this.#count(this.applying[index] ?? 0, this.#takeStates(index));
    }
    return count;
  }

  #markPulse(index: HandsetIndex): void {
    const [texts, events] = [this.columns.texts[index] ?? 0, this.columns.events[index] ?? 0];
    this.#pulses[index] =
      (texts > (this.#texts[index] ?? 0) ? pulse.text : 0) | (events > (this.#events[index] ?? 0) ? pulse.event : 0);
    this.#texts[index] = texts;
    this.#events[index] = events;
  }

  /** Updates the counts after a change of a handset's states. Both arguments are bit sets. */
  #count(before: number, now: number): void {
    for (let state = 0; state < handsetStates.length; state++) {
      const change = ((now >> state) & 1) - ((before >> state) & 1);
      if (change !== 0) this.counts[state] = (this.counts[state] ?? 0) + change;
    }
  }

  #takeStates(index: HandsetIndex): number {
    const { flags, battery, network, pending, retry, unsynced } = this.columns;
    this.#reading.flags = flags[index] ?? 0;
    this.#reading.battery = battery[index] ?? 0;
    this.#reading.network = network[index] ?? 0;
    this.#reading.pending = pending[index] ?? 0;
    this.#reading.retry = retry[index] ?? 0;
    this.#reading.unsynced = unsynced[index] ?? 0;
    const states = statesOf(this.#reading);
    this.applying[index] = states;
    this.states[index] = worstOf(states);
    return states;
  }

  /** Reused for every handset: a snapshot would otherwise allocate 10,000 objects. */
  readonly #reading = { flags: 0, battery: 0, network: 0, pending: 0, retry: 0, unsynced: 0 };
}
