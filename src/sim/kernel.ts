import { QueuedTimer, type SimTime, type Timer, TimerQueue } from "./timer-queue.js";

/**
 * The virtual clock and the step loop.
 *
 * Timers fire in a total order: earlier first, then lower `order`, then first scheduled first. Time never goes back.
 * A callback receives its argument from the timer, so that hot paths schedule without allocating a closure.
 */
export class Kernel {
  readonly #queue: TimerQueue;
  #now: SimTime;
  #fired = 0;
  #isPaused = false;

  /**
   * @param nowMs - where the clock starts; later than 0 for a served database that is continued
   * @throws RangeError when `nowMs` is not a whole number >= 0
   */
  constructor(nowMs: SimTime = 0) {
    if (!(nowMs >= 0) || !Number.isSafeInteger(nowMs)) {
      throw new RangeError(`a clock must start at a whole number of ms >= 0, got ${nowMs}`);
    }
    this.#now = nowMs;
    this.#queue = new TimerQueue(nowMs);
  }

  /** Virtual time. */
  get now(): SimTime {
    return this.#now;
  }

  /** Number of timers that wait, without cancelled ones. */
  get size(): number {
    return this.#queue.size;
  }

  /** Number of timers that have fired: the measure of a run's work. */
  get fired(): number {
    return this.#fired;
  }

  /** The instant of the next timer, or Infinity when none waits. */
  get nextAtMs(): SimTime {
    return this.#queue.peek()?.atMs ?? Infinity;
  }

  /**
   * Schedules `fire(arg)` at an instant.
   *
   * @param atMs - whole milliseconds >= `now`
   * @param order - rank among the timers of one instant; lower fires first
   * @throws RangeError when `atMs` has passed or is not a whole number
   */
  at<T>(atMs: SimTime, fire: (arg: T) => void, arg: T, order = 0): Timer {
    if (!(atMs >= this.#now) || !Number.isSafeInteger(atMs)) {
      throw new RangeError(`a timer must be a whole number of ms >= ${this.#now}, got ${atMs}`);
    }
    const timer = new QueuedTimer(atMs, order, fire, arg);
    this.#queue.add(timer);
    return timer;
  }

  /** Schedules `fire(arg)` after a delay of whole milliseconds >= 0. */
  in<T>(delayMs: number, fire: (arg: T) => void, arg: T, order = 0): Timer {
    return this.at(this.#now + delayMs, fire, arg, order);
  }

  /**
   * Schedules a fired timer again, with the same argument and order. Periodic work (each poll of each phone) reuses its
   * timer object, so it allocates nothing.
   *
   * @throws RangeError when the timer still waits, was cancelled or has no argument, or `delayMs` is not a whole number
   * >= 0
   */
  reschedule<T>(timer: Timer, delayMs: number, fire: (arg: T) => void): void {
    const queued = timer as QueuedTimer;
    if (!queued.done || queued.arg === undefined)
      throw new RangeError("only a timer that has fired can be rescheduled");
    const atMs = this.#now + delayMs;
    if (!(delayMs >= 0) || !Number.isSafeInteger(atMs)) {
      throw new RangeError(`a delay must be a whole number of ms >= 0, got ${delayMs}`);
    }
    queued.atMs = atMs;
    queued.fire = fire;
    this.#queue.add(queued);
  }

  /** Cancels a timer. Returns false when it has already fired or was cancelled. */
  cancel(timer: Timer): boolean {
    return this.#queue.cancel(timer as QueuedTimer);
  }

  /** Fires the next timer and returns true; returns false when none waits. */
  step(): boolean {
    const timer = this.#queue.peek();
    if (timer === undefined) return false;
    this.#fire(timer);
    return true;
  }

  /**
   * Fires timers in order until none is due before `beforeMs`, `steps` have fired, or a callback has called `pause`.
   *
   * @returns how many fired
   */
  run(beforeMs: SimTime, steps: number): number {
    this.#isPaused = false;
    let count = 0;
    while (count < steps && !this.#isPaused) {
      const timer = this.#queue.peek();
      if (timer === undefined || timer.atMs >= beforeMs) break;
      this.#fire(timer);
      count++;
    }
    return count;
  }

  /** Makes the current `run` return after the callback that calls this. */
  pause(): void {
    this.#isPaused = true;
  }

  /**
   * Advances the clock without firing anything. An earlier instant changes nothing.
   *
   * @throws RangeError when a timer waits before `atMs`
   */
  advanceTo(atMs: SimTime): void {
    if (atMs > this.nextAtMs) throw new RangeError(`cannot pass the timer at ${this.nextAtMs} on the way to ${atMs}`);
    if (atMs > this.#now) this.#now = atMs;
  }

  /** Fires the timer that `peek` has just returned. */
  #fire(timer: QueuedTimer): void {
    this.#queue.dropPeeked(timer);
    this.#fired++;
    this.#now = timer.atMs;
    (timer.fire as (arg: unknown) => void)(timer.arg);
  }
}
