import type { SimTime, Stream, Timer } from "../../sim/index.js";
import { placesOf } from "../cast/roster.js";
import type { Arrivals, EntryContext } from "./arrivals.js";

/** A sender with a Poisson stream of its own. */
interface Texter {
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
  readonly #entry: EntryContext;
  readonly #texters: Texter[] = [];
  readonly #meanAmount: number;

  constructor(entry: EntryContext) {
    this.#entry = entry;
    this.#meanAmount = entry.senders.count;
  }

  /** It has no memory: what is to come does not depend on when the last one was. */
  start(): void {
    const { context, isHere, rate, senders, streamOf } = this.#entry;
    const passed = context.continuedFromMs === 0 ? 0 : rate.amountAt(context.continuedFromMs);
    for (const place of placesOf(senders).filter(isHere)) {
      const texter: Texter = { process: this, place, stream: streamOf(place), amount: passed, timer: undefined };
      this.#texters.push(texter);
      this.#draw(texter);
      this.#schedule(texter);
    }
  }

  get changesFromMs(): SimTime {
    return this.#entry.context.kernel.now;
  }

  reschedule(): void {
    for (const texter of this.#texters) {
      this.#cancel(texter);
      this.#schedule(texter);
    }
  }

  pause(): void {
    for (const texter of this.#texters) this.#cancel(texter);
  }

  /** Who had something due in the silence draws anew from now on; all others go on as if there had been none. */
  endPause(): void {
    const { context, rate } = this.#entry;
    const passed = rate.amountAt(context.kernel.now);
    for (const texter of this.#texters) {
      if (texter.amount < passed) {
        texter.amount = passed;
        this.#draw(texter);
      }
      this.#schedule(texter);
    }
  }

  #draw(texter: Texter): void {
    texter.amount += texter.stream.exponential(this.#meanAmount);
  }

  #schedule(texter: Texter): void {
    const { context, rate, untilMs } = this.#entry;
    const { kernel } = context;
    const atMs = Math.ceil(rate.timeOf(texter.amount));
    if (atMs === Infinity || atMs >= untilMs) texter.timer = undefined;
    else if (texter.timer === undefined) texter.timer = kernel.at(Math.max(atMs, kernel.now), Poisson.#arrived, texter);
    // The timer that has just fired is set once more: a new one for each arrival would keep the collector busy.
    else kernel.reschedule(texter.timer, Math.max(atMs - kernel.now, 0), Poisson.#arrived);
  }

  #cancel(texter: Texter): void {
    if (texter.timer === undefined) return;
    this.#entry.context.kernel.cancel(texter.timer);
    texter.timer = undefined;
  }

  static #arrived(this: void, texter: Texter): void {
    const { process } = texter;
    process.#entry.act(texter.place, texter.stream);
    process.#draw(texter);
    process.#schedule(texter);
  }
}
