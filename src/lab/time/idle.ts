import { Nap } from "./nap.js";

/** How long `settle` waits for an API that is never idle, in wall milliseconds. */
const MOST_MS = 10_000;

/**
 * Knows whether somebody is busy with the API: requests in flight, and when the last one came or was answered. A run that
 * settles holds its clock until nobody is.
 */
export class Idle {
  readonly #nap = new Nap();
  readonly #wall: () => number;
  #inFlight = 0;
  #lastAt = -Infinity;
  #isOver = false;
  #impatient = 0;
  #isSettling = false;

  /** @param wall - monotonic milliseconds */
  constructor(wall: () => number = () => performance.now()) {
    this.#wall = wall;
  }

  /** Requests that have not been answered. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** When a request last came or was answered, by the clock that was given; -Infinity: none has come. */
  get lastAt(): number {
    return this.#lastAt;
  }

  /** The clock stands, and waits until nobody is busy. */
  get isSettling(): boolean {
    return this.#isSettling;
  }

  /** How often `settle` went on after ten seconds although the API was not idle: a client that polls without a pause. */
  get impatient(): number {
    return this.#impatient;
  }

  /** A request has come. @returns to be called when it has been answered, or has ended otherwise; more calls do nothing */
  begin(): () => void {
    this.#inFlight++;
    this.#lastAt = this.#wall();
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      this.#inFlight--;
      this.#lastAt = this.#wall();
      this.#nap.wake();
    };
  }

  /**
   * Resolves when no request is in flight and nothing has happened for so many wall milliseconds, counted from this call
   * at the earliest: to be called when the receiver has answered, which then may call back. After ten seconds it gives
   * up waiting. One at a time.
   */
  async settle(ms: number): Promise<void> {
    this.#isSettling = true;
    try {
      await this.#untilQuiet(ms);
    } finally {
      this.#isSettling = false;
    }
  }

  async #untilQuiet(ms: number): Promise<void> {
    const calledAt = this.#wall();
    while (!this.#isOver) {
      const now = this.#wall();
      const quietMs = Math.max(calledAt, this.#lastAt) + ms - now;
      if (this.#inFlight === 0 && quietMs <= 0) return;
      const patienceMs = calledAt + ms + MOST_MS - now;
      if (patienceMs <= 0) {
        this.#impatient++;
        return;
      }
      await this.#nap.sleep(this.#inFlight > 0 ? patienceMs : Math.min(quietMs, patienceMs));
    }
  }

  /** The run is over: whoever settles need not wait, now and from now on. */
  end(): void {
    this.#isOver = true;
    this.#nap.wake();
  }
}
