import type { SimTime, Timer } from "../../sim/index.js";
import { type Arrivals, Dealer, type EntryContext, ROUNDING, schedule } from "./arrivals.js";

/** Arrivals just as the rate says, each when the expected ones have come to a whole number, dealt in turn. */
export class Even implements Arrivals {
  readonly #parts: EntryContext;
  readonly #dealer: Dealer;
  #next = 0;
  #timer: Timer | undefined;

  constructor(parts: EntryContext) {
    this.#parts = parts;
    this.#dealer = new Dealer(parts);
  }

  start(): void {
    const { around, fromMs, rate } = this.#parts;
    const { begunAtMs } = around;
    if (begunAtMs > 0 && begunAtMs >= fromMs) this.#next = Math.floor(rate.amountAt(begunAtMs) + ROUNDING) + 1;
    this.#schedule();
  }

  get changesFromMs(): SimTime {
    return this.#parts.around.kernel.now;
  }

  reschedule(): void {
    this.silence();
    this.#schedule();
  }

  silence(): void {
    if (this.#timer !== undefined) this.#parts.around.kernel.cancel(this.#timer);
    this.#timer = undefined;
  }

  endSilence(): void {
    const { around, rate } = this.#parts;
    this.#next = Math.max(this.#next, Math.ceil(rate.amountAt(around.kernel.now) - ROUNDING));
    this.#schedule();
  }

  #schedule(): void {
    this.#timer = schedule(this.#parts, this.#parts.rate.timeOf(this.#next), Even.#arrived, this);
  }

  static #arrived(this: void, process: Even): void {
    process.#dealer.deal(process.#next++);
    process.#schedule();
  }
}
