import type { SimTime, Stream, Timer } from "../../sim/index.js";
import { placesOf } from "../cast/roster.js";
import type { Arrivals, EntryContext } from "./arrivals.js";

/** A sender and its next arrival. */
interface Texter {
  readonly process: Poisson;
  readonly place: number;
  readonly stream: Stream;
  /** The next arrival, as the number of arrivals of the whole entry that are expected before it. */
  amount: number;
  /** Undefined when there is no next arrival, or the entry is paused. */
  timer: Timer | undefined;
}

/**
 * A Poisson process per sender. The next arrival is due after an exponentially distributed number of expected arrivals,
 * which is exact for a rate of any shape. It stays exact when the rate changes, because the process is memoryless.
 */
export class Poisson implements Arrivals {
  readonly #entry: EntryContext;
  readonly #texters: Texter[] = [];
  readonly #meanAmount: number;

  constructor(entry: EntryContext) {
    this.#entry = entry;
    this.#meanAmount = entry.senders.count;
  }

  /**
   * Starts the process. A continued world draws new arrivals from its start, which is correct because the process is
   * memoryless.
   */
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

  /** Ends a pause: a sender whose arrival fell into it draws again from now; the others keep theirs. */
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
    // Reuses the timer that has just fired, instead of allocating one per arrival.
    else kernel.reschedule(texter.timer, Math.max(atMs - kernel.now, 0), Poisson.#arrived);
  }

  #cancel(texter: Texter): void {
    if (texter.timer === undefined) return;
    this.#entry.context.kernel.cancel(texter.timer);
    texter.timer = undefined;
  }

  static #arrived(this: void, texter: Texter): void {
    const { process } = texter;
    const { handler, spec } = process.#entry;
    handler.handleArrival(spec, texter.place, texter.stream);
    process.#draw(texter);
    process.#schedule(texter);
  }
}
