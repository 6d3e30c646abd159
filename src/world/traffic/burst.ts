import type { SimTime, Timer } from "../../sim/index.js";
import { type Arrivals, Dealer, type EntryContext, schedule } from "./arrivals.js";

/** All that is due in the time up to the next burst comes at once, dealt in turn. */
export class Burst implements Arrivals {
  readonly #parts: EntryContext;
  readonly #everyMs: number;
  readonly #dealer: Dealer;
  #next = 0;
  #burstAtMs: SimTime;
  #timer: Timer | undefined;

  /** @param everyMs - how far apart bursts are, the first at the entry's beginning */
  constructor(parts: EntryContext, everyMs: number) {
    this.#parts = parts;
    this.#everyMs = everyMs;
    this.#dealer = new Dealer(parts);
    this.#burstAtMs = parts.fromMs;
  }

  start(): void {
    const { around, fromMs, rate } = this.#parts;
    const { begunAtMs } = around;
    if (begunAtMs > 0 && begunAtMs >= fromMs) {
      this.#burstAtMs = this.#burstAfter(begunAtMs);
      this.#next = Math.ceil(rate.amountAt(this.#burstAtMs));
    }
    this.#schedule();
  }

  /** What has come in the last burst was of the time up to the next one. */
  get changesFromMs(): SimTime {
    const { now } = this.#parts.around.kernel;
    return this.#burstAtMs < now ? this.#burstAfter(now - 1) : this.#burstAtMs;
  }

  reschedule(): void {
    this.silence();
    this.#burstAtMs = this.changesFromMs;
    this.#schedule();
  }

  silence(): void {
    if (this.#timer !== undefined) this.#parts.around.kernel.cancel(this.#timer);
    this.#timer = undefined;
  }

  endSilence(): void {
    this.#burstAtMs = this.changesFromMs;
    this.#next = Math.max(this.#next, Math.ceil(this.#parts.rate.amountAt(this.#burstAtMs)));
    this.#schedule();
  }

  /** The first burst that comes later than an instant that is not before the entry's beginning. */
  #burstAfter(atMs: SimTime): SimTime {
    const { fromMs } = this.#parts;
    return fromMs + (Math.floor((atMs - fromMs) / this.#everyMs) + 1) * this.#everyMs;
  }

  #schedule(): void {
    const isOver = this.#parts.rate.timeOf(this.#next) === Infinity;
    this.#timer = isOver ? undefined : schedule(this.#parts, this.#burstAtMs, Burst.#arrived, this);
  }

  static #arrived(this: void, process: Burst): void {
    process.#burstAtMs += process.#everyMs;
    const due = process.#parts.rate.amountAt(process.#burstAtMs);
    while (process.#next < due) process.#dealer.deal(process.#next++);
    process.#schedule();
  }
}
