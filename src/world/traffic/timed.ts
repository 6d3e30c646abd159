import type { SimTime, Timer } from "../../sim/index.js";
import type { Arrival } from "../cast/cast.js";
import { type Arrivals, Dealer, type EntryContext, ROUNDING, schedule } from "./arrivals.js";

/**
 * Arrivals at given times. Of an arrival that names its senders each of them sends; the others are dealt in turn. There
 * is no rate to change; so many times the arrivals are so many for each, and fractions of them add up.
 */
export class Timed implements Arrivals {
  readonly #parts: EntryContext;
  readonly #arrivals: readonly Arrival[];
  readonly #placesOf: (arrival: Arrival) => readonly number[] | undefined;
  readonly #times: () => number;
  readonly #dealer: Dealer;
  #next = 0;
  /** How much of an arrival is still to come, in fractions that have added up. */
  #left = 0;
  #timer: Timer | undefined;

  /**
   * @param options - `arrivals`: by time, the earlier first; `placesOf`: the senders that an arrival names; `times`: how
   *   many for each there are to be now
   */
  constructor(
    parts: EntryContext,
    options: {
      readonly arrivals: readonly Arrival[];
      readonly placesOf: (arrival: Arrival) => readonly number[] | undefined;
      readonly times: () => number;
    },
  ) {
    this.#parts = parts;
    this.#arrivals = options.arrivals;
    this.#placesOf = options.placesOf;
    this.#times = options.times;
    this.#dealer = new Dealer(parts);
  }

  start(): void {
    const { around, fromMs } = this.#parts;
    this.#skipTo(around.begunAtMs === 0 ? fromMs : Math.max(fromMs, around.begunAtMs + 1));
    this.#schedule();
  }

  get changesFromMs(): SimTime {
    return this.#parts.around.kernel.now;
  }

  /** The times stay. */
  reschedule(): void {
    // How many come is looked at when they do.
  }

  silence(): void {
    if (this.#timer !== undefined) this.#parts.around.kernel.cancel(this.#timer);
    this.#timer = undefined;
  }

  endSilence(): void {
    this.#skipTo(this.#parts.around.kernel.now);
    this.#schedule();
  }

  #skipTo(atMs: SimTime): void {
    while ((this.#arrivals[this.#next]?.atMs ?? Infinity) < atMs) this.#next++;
  }

  #schedule(): void {
    this.#timer = schedule(this.#parts, this.#arrivals[this.#next]?.atMs ?? Infinity, Timed.#arrived, this);
  }

  static #arrived(this: void, process: Timed): void {
    const arrival = process.#arrivals[process.#next] as Arrival;
    const places = process.#placesOf(arrival);
    process.#left += process.#times();
    for (; process.#left >= 1 - ROUNDING; process.#left--) {
      if (places === undefined) process.#dealer.deal(process.#next);
      else for (const place of places) process.#dealer.dealTo(place);
    }
    process.#next++;
    process.#schedule();
  }
}
