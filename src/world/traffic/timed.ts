import type { SimTime, Timer } from "../../sim/index.js";
import type { Arrival } from "../cast/cast.js";
import { type Arrivals, RoundRobin, type EntryContext, ROUNDING, scheduleArrival } from "./arrivals.js";

/**
 * Arrivals at given times. An arrival that names senders comes from each of them; the others are assigned round robin.
 * Traffic scaled by 2.5x repeats each arrival; fractions carry over, so arrivals alternate between 2 and 3 repeats.
 */
export class Timed implements Arrivals {
  readonly #entry: EntryContext;
  readonly #arrivals: readonly Arrival[];
  readonly #placesOf: (arrival: Arrival) => readonly number[] | undefined;
  readonly #times: () => number;
  readonly #roundRobin: RoundRobin;
  #next = 0;
  /** Repeats owed: the fractions carried over from earlier arrivals. */
  #owed = 0;
  #timer: Timer | undefined;

  /**
   * @param options - `arrivals`: ascending in time; `placesOf`: the senders that an arrival names; `times`: repeats of
   * each
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

  /** Does nothing: a change of the rate does not move given times. */
  reschedule(): void {
    // Nothing to reschedule: `#arrived` reads the number of repeats at each arrival.
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
