import type { SimTime } from "../../sim/index.js";
import type { Rate } from "./rate.js";

/**
 * The rate of an entry while it runs: the scenario's until a change replaces it. A change applies from an instant on
 * and keeps the number of arrivals expected before it, so the nth arrival stays the nth.
 */
export class AdjustableRate {
  #rate: Rate;
  #times = 1;
  /** Arrivals expected up to the last change: in total, and by the rate in force. */
  #amountBefore = 0;
  #rateBefore = 0;

  constructor(rate: Rate) {
    this.#rate = rate;
  }

  /** Arrivals expected before an instant that is not before the last change. */
  amountAt(atMs: SimTime): number {
    return this.#amountBefore + (this.#rate.amountAt(atMs) - this.#rateBefore) * this.#times;
  }

  /** The instant by which `amount` arrivals are expected, not rounded; Infinity when the rate never yields as many. */
  timeOf(amount: number): number {
    return this.#rate.timeOf(this.#rateBefore + (amount - this.#amountBefore) / this.#times);
  }

  /**
   * Applies `times` × `rate` from an instant on. Setting the values in force is not a change.
   *
   * @param atMs - not before the last change
   * @param times - above 0
   * @returns whether the rate has changed
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
