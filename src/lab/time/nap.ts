/** The longest span that a timer of Node.js takes, in milliseconds. */
const LONGEST_MS = 2 ** 31 - 1;

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
      const timer = setTimeout(() => this.#end?.(false), Math.min(ms, LONGEST_MS));
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
