import { TIMER_MS_MAX } from "../../base/index.js";

/** A sleep that can be ended from outside. One at a time. */
export class Nap {
  #end: ((isWoken: boolean) => void) | undefined;

  /**
   * @param ms - wall milliseconds; beyond 24 days it ends earlier: whoever sleeps looks again anyway
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

  /** Ends the sleep, if somebody sleeps. */
  wake(): void {
    this.#end?.(true);
  }
}
