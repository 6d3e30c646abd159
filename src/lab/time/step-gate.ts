import type { SimTime } from "../../sim/index.js";

/**
 * Holds a lockstep run between the calls of its caller: virtual time stands still until `advance`, which names the
 * instant up to which it may pass. `hold` ends an advance earlier, at the current kernel step.
 */
export class StepGate {
  #untilMs: SimTime = -1;
  #arrived: (() => void) | undefined;
  #wake: (() => void) | undefined;
  #isHeld = false;
  #isOver = false;

  /** The instant up to which time may pass. */
  get untilMs(): SimTime {
    return this.#untilMs;
  }

  /** Whether the current advance was ended by `hold`. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /**
   * Lets time pass up to an instant; everything due at it happens, too. One call at a time.
   *
   * @returns resolves when the instant is reached or `hold` was called, all attempts made so far are answered, or the
   *   run is over
   */
  advance(untilMs: SimTime): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    this.#untilMs = untilMs;
    this.#isHeld = false;
    const arrived = new Promise<void>((resolve) => (this.#arrived = resolve));
    this.#wake?.();
    this.#wake = undefined;
    return arrived;
  }

  /** Ends the advance under way at this kernel step. Call it within the step, and pause the kernel. */
  hold(): void {
    this.#isHeld = true;
  }

  /** For the time loop: the instant is reached. Resolves at the next `advance`, and when the run is over. */
  async wait(): Promise<void> {
    const next = this.#isOver ? Promise.resolve() : new Promise<void>((resolve) => (this.#wake = resolve));
    this.#arrive();
    await next;
  }

  /** The run is over: nothing waits any longer. */
  end(): void {
    this.#isOver = true;
    this.#arrive();
    this.#wake?.();
    this.#wake = undefined;
  }

  #arrive(): void {
    this.#arrived?.();
    this.#arrived = undefined;
  }
}
