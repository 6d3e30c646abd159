import type { SimTime, Timer } from "../../sim/index.js";
import type { Arrival } from "../cast/cast.js";
import { type Arrivals, RoundRobin, type EntryContext, ROUNDING, scheduleArrival } from "./arrivals.js";

/**
 * Arrivals at given times. Of an arrival that names its senders each of them sends; the others are dealt in turn. There
 * is no rate to change; so many times the arrivals are so many for each, and fractions of them add up.
 */
export class Timed implements Arrivals {
  readonly #entry: EntryContext;
  readonly #arrivals: readonly Arrival[];
  readonly #placesOf: (arrival: Arrival) => readonly number[] | undefined;
  readonly #times: () => number;
  readonly #roundRobin: RoundRobin;
  #next = 0;
  /** How much of an arrival is still to come, in fractions that have added up. */
  #owed = 0;
  #timer: Timer | undefined;

  /**
   * @param options - `arrivals`: by time, the earlier first; `placesOf`: the senders that an arrival names; `times`: how
   *   many for each there are to be now
   */
  constructor(
    entry: EntryContext,
    options: {
      readonly arrivals: readonly Arrival[];
      readonly placesOf: (arrival: Arrival) => readonly number[] | undefined;
      readonly times: () => number;
    },
  ) {
    this.#entry = entry;
    this.#arrivals = options.arrivals;
    this.#placesOf = options.placesOf;
    this.#times = options.times;
    this.#roundRobin = new RoundRobin(entry);
  }

  start(): void {
    const { context, fromMs } = this.#entry;
    this.#skipTo(context.continuedFromMs === 0 ? fromMs : Math.max(fromMs, context.continuedFromMs + 1));
    this.#schedule();
  }

  get changesFromMs(): SimTime {
    return this.#entry.context.kernel.now;
  }

  /** The times stay. */
  reschedule(): void {
    // How many come is looked at when they do.
  }

  pause(): void {
    if (this.#timer !== undefined) this.#entry.context.kernel.cancel(this.#timer);
    this.#timer = undefined;
  }

  endPause(): void {
    this.#skipTo(this.#entry.context.kernel.now);
    this.#schedule();
  }

  #skipTo(atMs: SimTime): void {
    while ((this.#arrivals[this.#next]?.atMs ?? Infinity) < atMs) this.#next++;
  }

  #schedule(): void {
    this.#timer = scheduleArrival(this.#entry, this.#arrivals[this.#next]?.atMs ?? Infinity, Timed.#arrived, this);
  }

  static #arrived(this: void, process: Timed): void {
    const arrival = process.#arrivals[process.#next] as Arrival;
    const places = process.#placesOf(arrival);
    process.#owed += process.#times();
    for (; process.#owed >= 1 - ROUNDING; process.#owed--) {
      if (places === undefined) process.#roundRobin.dispatchNth(process.#next);
      else for (const place of places) process.#roundRobin.dispatchTo(place);
    }
    process.#next++;
    process.#schedule();
  }
}
