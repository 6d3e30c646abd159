import type { SimTime, Stream, Timer } from "../../sim/index.js";
import type { AdjustableRate } from "./adjustable-rate.js";
import type { TrafficSpec } from "../cast/cast.js";
import type { RosterSelection } from "../cast/roster.js";
import type { WorldContext } from "../world-context.js";

/** The arrival process of one entry of traffic. It schedules arrivals at the kernel. */
export interface Arrivals {
  /** Starts at the kernel's now. In a continued world, arrivals due up to now are skipped. */
  start(): void;
  /** The instant from which a change of the rate applies: now, or the next burst. */
  readonly changesFromMs: SimTime;
  /** Reschedules pending arrivals after a change of the rate; not to be called in a pause. */
  reschedule(): void;
  /** Cancels pending arrivals. */
  pause(): void;
  /** Ends a pause: skips the arrivals that fell into it; later ones come at their time. */
  endPause(): void;
}

/** Acts on arrivals. */
export interface ArrivalHandler {
  /** @param sender - a place in the list of all people or of all handsets */
  handleArrival(spec: TrafficSpec, sender: number, stream: Stream): void;
}

/** The interface of a traffic entry for its arrival process. */
export interface EntryContext {
  readonly context: WorldContext;
  readonly senders: RosterSelection;
  /** Whether a sender is in this part of the fleet; the turns of other senders are only counted. */
  readonly isHere: (place: number) => boolean;
  readonly rate: AdjustableRate;
  readonly fromMs: SimTime;
  /** Exclusive end. */
  readonly untilMs: SimTime;
  /** Makes a sender's random stream for this entry. */
  readonly streamOf: (place: number) => Stream;
  readonly spec: TrafficSpec;
  readonly handler: ArrivalHandler;
}

/** Tolerance for rounding errors in sums of expected arrivals. */
export const ROUNDING = 1e-6;

/** Schedules an arrival at `atMs`, rounded up to a millisecond; undefined when the entry ends before that. */
export function scheduleArrival<T>(
  { context: { kernel }, untilMs }: EntryContext,
  atMs: number,
  fire: (arg: T) => void,
  arg: T,
): Timer | undefined {
  const whole = Math.ceil(atMs);
  return whole === Infinity || whole >= untilMs ? undefined : kernel.at(Math.max(whole, kernel.now), fire, arg);
}

/**
 * Assigns arrivals to senders round robin: arrival n belongs to sender n modulo their count. A part of a fleet counts
 * every turn and acts only for its own senders, so their arrivals are those of the whole fleet.
 */
export class RoundRobin {
  readonly #entry: EntryContext;
  /** By place; made at the sender's first turn. */
  readonly #streams = new Map<number, Stream>();

  constructor(entry: EntryContext) {
    this.#entry = entry;
  }

  /** @param nth - from 0 */
  dispatchNth(nth: number): void {
    const { senders } = this.#entry;
    this.dispatchTo(senders.at(nth % senders.count));
  }

  dispatchTo(place: number): void {
    if (!this.#entry.isHere(place)) return;
    let stream = this.#streams.get(place);
    if (stream === undefined) {
      stream = this.#entry.streamOf(place);
      this.#streams.set(place, stream);
    }
    this.#entry.handler.handleArrival(this.#entry.spec, place, stream);
  }
}
