import { InterruptibleSleep } from "./interruptible-sleep.js";

/** How long `waitUntilIdle` waits for an API that is never idle: wall milliseconds. */
const WAIT_MS_MAX = 10_000;

/** Tracks whether API clients are active: requests in flight, and the last time one came or was answered. */
export class ApiIdleness {
  readonly #sleep = new InterruptibleSleep();
  #inFlight = 0;
  #lastActivityAt = -Infinity;
  #isOver = false;
  #timeoutCount = 0;
  #isWaiting = false;

  /** Requests that have not been answered. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** When a request last came or was answered: monotonic wall milliseconds; -Infinity: none has come. */
  get lastActivityAt(): number {
    return this.#lastActivityAt;
  }

  /** Whether a `waitUntilIdle` is under way. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** How often `waitUntilIdle` gave up after ten seconds, as with a client that polls without a pause. */
  get timeoutCount(): number {
    return this.#timeoutCount;
  }

  /**
   * Counts a request as in flight.
   * @returns ends the count: call it when the request has ended; further calls do nothing
   */
  beginRequest(): () => void {
    this.#inFlight++;
    this.#lastActivityAt = performance.now();
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      this.#inFlight--;
      this.#lastActivityAt = performance.now();
      this.#sleep.wake();
    };
  }

  /**
   * Resolves when no request has been in flight for `ms` wall milliseconds, counted from this call at the earliest;
   * after ten seconds in any case. Call it when the receiver has answered: it may then call back. One call at a time.
   */
  async waitUntilIdle(ms: number): Promise<void> {
    this.#isWaiting = true;
    try {
      await this.#untilQuiet(ms);
    } finally {
      this.#isWaiting = false;
    }
  }

  async #untilQuiet(ms: number): Promise<void> {
    const calledAt = performance.now();
    while (!this.#isOver) {
      const now = performance.now();
      const quietMs = Math.max(calledAt, this.#lastActivityAt) + ms - now;
      if (this.#inFlight === 0 && quietMs <= 0) return;
      const patienceMs = calledAt + ms + WAIT_MS_MAX - now;
      if (patienceMs <= 0) {
        this.#timeoutCount++;
        return;
      }
      await this.#sleep.sleep(this.#inFlight > 0 ? patienceMs : Math.min(quietMs, patienceMs));
    }
  }

  /** Records that the run is over: `waitUntilIdle` resolves immediately from now on. */
  stopWaiting(): void {
    this.#isOver = true;
    this.#sleep.wake();
  }
}
