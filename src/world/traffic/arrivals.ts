import type { SimTime, Stream, Timer } from "../../sim/index.js";
import type { AdjustableRate } from "./adjustable-rate.js";
import type { Selection } from "../cast/roster.js";
import type { WorldContext } from "../world-context.js";

/** How the arrivals of one entry of traffic come about: a process that schedules them at the kernel, and nothing else. */
export interface Arrivals {
  /** Begins at the kernel's now. Later than 0, what was due up to that instant has been. */
  start(): void;
  /** From when on a change of the rate can show: now, or when what has come together is over. */
  readonly changesFromMs: SimTime;
  /** The rate has changed: what waits is scheduled anew. Not while it is silent. Costs a timer for each that waits. */
  reschedule(): void;
  /** Nothing comes from now on. */
  pause(): void;
  /** After a silence: what would have come in it is skipped, what comes later comes when it would have come. */
  endPause(): void;
}

/** What a process knows of its entry. */
export interface EntryContext {
  readonly context: WorldContext;
  readonly senders: Selection;
  /** Whether a sender lives in this world: of the others only their turn is counted. */
  readonly isHere: (place: number) => boolean;
  readonly rate: AdjustableRate;
  readonly fromMs: SimTime;
  /** Nothing comes at this instant or later. */
  readonly untilMs: SimTime;
  /** A sender's own stream for this entry, at its beginning. */
  readonly streamOf: (place: number) => Stream;
  /** One arrival, by a sender. */
  readonly act: (place: number, stream: Stream) => void;
}

/** Expected arrivals are sums of fractions: so little does not make one more. */
export const ROUNDING = 1e-6;

/** Schedules what is due at an instant that may be no whole millisecond; undefined where the entry is over by then. */
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
 * Deals arrivals to the senders in turn: the nth goes to the nth of them, whoever came before. A world that is a part of a
 * fleet counts every turn, so that its own senders have the places in time and order that they have in the whole.
 */
export class RoundRobin {
  readonly #entry: EntryContext;
  /** Made when a sender's turn comes. */
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
    this.#entry.act(place, stream);
  }
}
