import type { SimTime, Timer } from "../../sim/index.js";
import { type Arrivals, RoundRobin, type EntryContext, ROUNDING, scheduleArrival } from "./arrivals.js";

/** Evenly spaced arrivals: one whenever the expected number reaches the next integer, assigned round robin. */
export class Even implements Arrivals {
  readonly #entry: EntryContext;
  readonly #roundRobin: RoundRobin;
  #next = 0;
  #timer: Timer | undefined;

  constructor(entry: EntryContext) {
    this.#entry = entry;
    this.#roundRobin = new RoundRobin(entry);
  }

  start(): void {
    const { context, fromMs, rate } = this.#entry;
    const { continuedFromMs: begunAtMs } = context;
    if (begunAtMs > 0 && begunAtMs >= fromMs) this.#next = Math.floor(rate.amountAt(begunAtMs) + ROUNDING) + 1;
    this.#schedule();
  }

  get changesFromMs(): SimTime {
    return this.#entry.context.kernel.now;
  }

  reschedule(): void {
    this.pause();
    this.#schedule();
  }

  pause(): void {
    if (this.#timer !== undefined) this.#entry.context.kernel.cancel(this.#timer);
    this.#timer = undefined;
  }

  endPause(): void {
    const { context, rate } = this.#entry;
    this.#next = Math.max(this.#next, Math.ceil(rate.amountAt(context.kernel.now) - ROUNDING));
    this.#schedule();
  }

  #schedule(): void {
    this.#timer = scheduleArrival(this.#entry, this.#entry.rate.timeOf(this.#next), Even.#arrived, this);
  }

  static #arrived(this: void, process: Even): void {
    process.#roundRobin.dispatchNth(process.#next++);
    process.#schedule();
  }
}
