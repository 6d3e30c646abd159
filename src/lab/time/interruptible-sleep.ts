import { TIMER_MS_MAX } from "../../base/index.js";

/** A sleep that `wake` ends early. Only one at a time: a new sleep ends the previous one. */
export class InterruptibleSleep {
  #end: ((isWoken: boolean) => void) | undefined;

  /**
   * @param ms - wall milliseconds; one beyond 24 days ends after 24 days, so callers check the time again
   * @returns true when it was woken, false when the time was over
   */
  sleep(ms: number): Promise<boolean> {
    this.wake();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#end?.(false), Math.min(ms, TIMER_MS_MAX));
      this.#end = (isWoken) => {
        clearTimeout(timer);
        this.#end = undefined;
        resolve(isWoken);
      };
    });
  }

  /** Ends the sleep under way, if any. */
  wake(): void {
    this.#end?.(true);
  }
}
