import type { Kernel, SimTime, Timer } from "../../sim/index.js";

/** Burst tolerance of the generic cell rate algorithm (GCRA): a minute's capacity of a lane may pass at once. */
const BURST_MS = 60_000;

/** The texts from and to one handset. */
interface Lane<T> {
  readonly queue: CarrierQueue<T>;
  /** GCRA's theoretical arrival time: when the lane has worked off the texts that passed. Each text adds one gap. */
  busyUntilMs: SimTime;
  readonly waiting: T[];
  timer: Timer | undefined;
}

/**
 * The queue of a congested carrier. Each handset has a lane with an equal share of the carrier's capacity, so that the
 * parts of a fleet give the same result as the whole. Texts beyond the capacity wait in order of arrival.
 */
export class CarrierQueue<T> {
  readonly #kernel: Kernel;
  readonly #release: (one: T) => void;
  readonly #lanes = new Map<number, Lane<T>>();
  /** Between two texts of a lane, milliseconds; undefined: no limit. */
  #gapMs: number | undefined;

  /** @param release - called for each text that has waited */
  constructor(kernel: Kernel, release: (one: T) => void) {
    this.#kernel = kernel;
    this.#release = release;
  }

  /** Changes the capacity of each lane, also for texts that wait. @param gapMs - undefined: no limit */
  setGap(gapMs: number | undefined): void {
    this.#gapMs = gapMs;
    const { now } = this.#kernel;
    for (const [channel, lane] of this.#lanes) {
      if (lane.timer !== undefined) this.#kernel.cancel(lane.timer);
      lane.timer = undefined;
      if (gapMs === undefined) {
        this.#lanes.delete(channel);
        for (const one of lane.waiting) this.#release(one);
      } else {
        lane.busyUntilMs = Math.min(lane.busyUntilMs, now + BURST_MS + gapMs);
        this.#schedule(lane);
      }
    }
  }

  /** Lets a text pass, or queues it. @returns true when it passes now; else `release` gets it later */
  passOrQueue(channel: number, one: T): boolean {
    const gapMs = this.#gapMs;
    if (gapMs === undefined) return true;
    const { now } = this.#kernel;
    let lane = this.#lanes.get(channel);
    if (lane === undefined) {
      lane = { queue: this, busyUntilMs: now, waiting: [], timer: undefined };
      this.#lanes.set(channel, lane);
    }
    if (lane.waiting.length === 0 && lane.busyUntilMs - BURST_MS <= now) {
      lane.busyUntilMs = Math.max(lane.busyUntilMs, now) + gapMs;
      return true;
    }
    lane.waiting.push(one);
    this.#schedule(lane);
    return false;
  }

  #schedule(lane: Lane<T>): void {
    if (lane.timer !== undefined || lane.waiting.length === 0) return;
    const atMs = Math.max(this.#kernel.now, Math.ceil(lane.busyUntilMs - BURST_MS));
    lane.timer = this.#kernel.at(atMs, CarrierQueue.#due<T>, lane);
  }

  static #due<T>(this: void, lane: Lane<T>): void {
    const { queue } = lane;
    lane.timer = undefined;
    const one = lane.waiting.shift();
    if (one === undefined) return;
    lane.busyUntilMs = Math.max(lane.busyUntilMs, queue.#kernel.now) + (queue.#gapMs ?? 0);
    queue.#release(one);
    queue.#schedule(lane);
  }
}
