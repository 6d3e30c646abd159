import type { SimTime } from "../../sim/index.js";
import type { Rate } from "./rate.js";

/**
 * An entry's rate while it runs: what the scenario says, until somebody changes it. A change applies from an instant on;
 * arrivals that were expected up to there stay as they were, so whoever waits for the nth of them goes on waiting for it.
 */
export class AdjustableRate {
  #rate: Rate;
  #times = 1;
  /** Arrivals expected in all, and of the rate in force, when that came into force. */
  #amountBefore = 0;
  #rateBefore = 0;

  constructor(rate: Rate) {
    this.#rate = rate;
  }

  /** Arrivals expected before an instant, that of the last change at the earliest. */
  amountAt(atMs: SimTime): number {
    return this.#amountBefore + (this.#rate.amountAt(atMs) - this.#rateBefore) * this.#times;
  }

  /** The instant by which so many arrivals are expected, not rounded; Infinity when there are never so many. */
  timeOf(amount: number): number {
    return this.#rate.timeOf(this.#rateBefore + (amount - this.#amountBefore) / this.#times);
  }

  /**
   * From an instant on, so many times a rate. What is in force already changes nothing, to the last bit.
   *
   * @param atMs - not before the last change
   * @param times - above 0
   * @returns whether it is another rate
   */
  change(atMs: SimTime, { rate, times }: { readonly rate: Rate; readonly times: number }): boolean {
    if (rate === this.#rate && times === this.#times) return false;
    this.#amountBefore = this.amountAt(atMs);
    this.#rateBefore = rate.amountAt(atMs);
    this.#rate = rate;
    this.#times = times;
    return true;
  }
}
