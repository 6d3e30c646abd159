import type { SimTime, Timer } from "../../sim/index.js";
import { type Arrivals, RoundRobin, type EntryContext, scheduleArrival } from "./arrivals.js";

/** Bursts: the arrivals expected up to the next burst come at once, assigned round robin. */
export class Burst implements Arrivals {
  readonly #entry: EntryContext;
  readonly #everyMs: number;
  readonly #roundRobin: RoundRobin;
  #next = 0;
  #burstAtMs: SimTime;
  #timer: Timer | undefined;

  /** @param everyMs - interval of bursts; the first is at the entry's start */
  constructor(entry: EntryContext, everyMs: number) {
    this.#entry = entry;
    this.#everyMs = everyMs;
    this.#roundRobin = new RoundRobin(entry);
    this.#burstAtMs = entry.fromMs;
  }

  start(): void {
    const { context, fromMs, rate } = this.#entry;
    const { continuedFromMs: begunAtMs } = context;
    if (begunAtMs > 0 && begunAtMs >= fromMs) {
      this.#burstAtMs = this.#burstAfter(begunAtMs);
      this.#next = Math.ceil(rate.amountAt(this.#burstAtMs));
    }
    this.#schedule();
  }

  /** The next burst: the last burst already contained all arrivals before the next one. */
  get changesFromMs(): SimTime {
    const { now } = this.#entry.context.kernel;
    return this.#burstAtMs < now ? this.#burstAfter(now - 1) : this.#burstAtMs;
  }

  reschedule(): void {
    this.pause();
    this.#burstAtMs = this.changesFromMs;
    this.#schedule();
  }

  pause(): void {
    if (this.#timer !== undefined) this.#entry.context.kernel.cancel(this.#timer);
    this.#timer = undefined;
  }

  endPause(): void {
    this.#burstAtMs = this.changesFromMs;
    this.#next = Math.max(this.#next, Math.ceil(this.#entry.rate.amountAt(this.#burstAtMs)));
    this.#schedule();
  }

  /** The first burst after an instant that is not before the entry's start. */
  #burstAfter(atMs: SimTime): SimTime {
    const { fromMs } = this.#entry;
    return fromMs + (Math.floor((atMs - fromMs) / this.#everyMs) + 1) * this.#everyMs;
  }

  #schedule(): void {
    const isOver = this.#entry.rate.timeOf(this.#next) === Infinity;
    this.#timer = isOver ? undefined : scheduleArrival(this.#entry, this.#burstAtMs, Burst.#arrived, this);
  }

  static #arrived(this: void, process: Burst): void {
    process.#burstAtMs += process.#everyMs;
    const due = process.#entry.rate.amountAt(process.#burstAtMs);
    while (process.#next < due) process.#roundRobin.dispatchNth(process.#next++);
    process.#schedule();
  }
}
