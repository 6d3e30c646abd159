import type { SimTime, Stream, Timer } from "../../sim/index.js";
import { placesOf } from "../roster.js";
import type { Arrivals, EntryParts } from "./arrivals.js";

/** A sender with a Poisson stream of its own. */
interface Caller {
  readonly process: Poisson;
  readonly place: number;
  readonly stream: Stream;
  /** Where its next arrival stands, in expected arrivals of the whole entry. */
  amount: number;
  /** Absent: it never comes, or the entry is silent. */
  timer: Timer | undefined;
}

/**
 * Every sender has a Poisson stream of its own: its next arrival comes when an exponential share of the expected arrivals
 * has passed. That is exact for a rate of any shape, and stays so when the rate is changed, as the share that is left
 * is exponential too.
 */
export class Poisson implements Arrivals {
  readonly #parts: EntryParts;
  readonly #callers: Caller[] = [];
  readonly #meanAmount: number;

  constructor(parts: EntryParts) {
    this.#parts = parts;
    this.#meanAmount = parts.senders.count;
  }

  /** It has no memory: what is to come does not depend on when the last one was. */
  start(): void {
    const { around, isHere, rate, senders, streamOf } = this.#parts;
    const passed = around.begunAtMs === 0 ? 0 : rate.amountAt(around.begunAtMs);
    for (const place of placesOf(senders).filter(isHere)) {
      const caller: Caller = { process: this, place, stream: streamOf(place), amount: passed, timer: undefined };
      this.#callers.push(caller);
      this.#draw(caller);
      this.#schedule(caller);
    }
  }

  get changesFromMs(): SimTime {
    return this.#parts.around.kernel.now;
  }

  reschedule(): void {
    for (const caller of this.#callers) {
      this.#cancel(caller);
      this.#schedule(caller);
    }
  }

  silence(): void {
    for (const caller of this.#callers) this.#cancel(caller);
  }

  /** Who had something due in the silence draws anew from now on; all others go on as if there had been none. */
  goOn(): void {
    const { around, rate } = this.#parts;
    const passed = rate.amountAt(around.kernel.now);
    for (const caller of this.#callers) {
      if (caller.amount < passed) {
        caller.amount = passed;
        this.#draw(caller);
      }
      this.#schedule(caller);
    }
  }

  #draw(caller: Caller): void {
    caller.amount += caller.stream.exponential(this.#meanAmount);
  }

  #schedule(caller: Caller): void {
    const { around, rate, untilMs } = this.#parts;
    const { kernel } = around;
    const atMs = Math.ceil(rate.timeOf(caller.amount));
    if (atMs === Infinity || atMs >= untilMs) caller.timer = undefined;
    else if (caller.timer === undefined) caller.timer = kernel.at(Math.max(atMs, kernel.now), Poisson.#called, caller);
    // The timer that has just fired is set once more: a new one for each arrival would keep the collector busy.
    else kernel.reschedule(caller.timer, Math.max(atMs - kernel.now, 0), Poisson.#called);
  }

  #cancel(caller: Caller): void {
    if (caller.timer === undefined) return;
    this.#parts.around.kernel.cancel(caller.timer);
    caller.timer = undefined;
  }

  static #called(this: void, caller: Caller): void {
    const { process } = caller;
    process.#parts.act(caller.place, caller.stream);
    process.#draw(caller);
    process.#schedule(caller);
  }
}
