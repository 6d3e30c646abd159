import type { SimTime } from "../sim/index.js";
import type { ApiIdleness } from "./time/api-idleness.js";

/** What `ApiActivity` reads of a run. */
export interface ApiActivityOptions {
  readonly apiIdleness: ApiIdleness;
  readonly isLockstep: boolean;
  /** Whether the run waits for API clients after each window of attempts. */
  readonly settles: boolean;
  readonly nowMs: () => SimTime;
  /** Whether attempts wait for their answers. */
  readonly isAwaited: () => boolean;
}

/** Counts the API writes that a lockstep run could not order: their effect depends on the receiver's speed. */
export class ApiActivity {
  readonly #options: ApiActivityOptions;
  #untimedWrites = 0;
  #hasEnded = false;

  constructor(options: ApiActivityOptions) {
    this.#options = options;
  }

  /**
   * Counts a request as in flight.
   * @returns ends the count: call it when the request has been answered
   */
  beginRequest({ mayWrite }: { readonly mayWrite: boolean }): () => void {
    const { apiIdleness, isLockstep, settles, nowMs, isAwaited } = this.#options;
    const isRunning = isLockstep && !this.#hasEnded && nowMs() > 0;
    const isHeld = apiIdleness.isWaiting || (settles && isAwaited());
    if (mayWrite && isRunning && !isHeld) this.#untimedWrites++;
    return apiIdleness.beginRequest();
  }

  /** Records that the world has ended: later requests take effect at its last instant. */
  endWorld(): void {
    this.#hasEnded = true;
  }

  /** Warnings for the result. */
  warnings(): string[] {
    const { timeoutCount: impatient } = this.#options.apiIdleness;
    return [
      ...(impatient > 0
        ? [
            `the API stayed busy for 10 s after ${impatient} windows of attempts: the run continued without waiting for it`,
          ]
        : []),
      ...(this.#untimedWrites > 0 ? [untimedText(this.#untimedWrites)] : []),
    ];
  }
}

function untimedText(count: number): string {
  const requests = count === 1 ? "1 API request came" : `${count} API requests came`;
  return (
    `${requests} while virtual time passed: in lockstep they take effect at an instant that depends on the receiver's ` +
    "speed, so the same seed may give another digest; a longer --settle waits for them"
  );
}
