import type { SimTime } from "../sim/index.js";
import type { Idle } from "./time/idle.js";

export interface ApiActivityOptions {
  readonly idle: Idle;
  readonly isLockstep: boolean;
  /** Whether the run waits for the API after each window of attempts. */
  readonly settles: boolean;
  readonly nowMs: () => SimTime;
  /** Whether attempts wait for their answers. */
  readonly isAwaited: () => boolean;
}

/** Counts API requests that a lockstep run could not order: their effect depends on how fast the receiver is. */
export class ApiActivity {
  readonly #options: ApiActivityOptions;
  #untimedWrites = 0;
  #hasEnded = false;

  constructor(options: ApiActivityOptions) {
    this.#options = options;
  }

  /** A request of the API begins. @returns call it when the request has been answered */
  beginRequest({ mayWrite }: { readonly mayWrite: boolean }): () => void {
    const { idle, isLockstep, settles, nowMs, isAwaited } = this.#options;
    const isRunning = isLockstep && !this.#hasEnded && nowMs() > 0;
    const isHeld = idle.isSettling || (settles && isAwaited());
    if (mayWrite && isRunning && !isHeld) this.#untimedWrites++;
    return idle.begin();
  }

  /** The world has ended: later requests happen at its last instant. */
  endWorld(): void {
    this.#hasEnded = true;
  }

  /** What a reader of the result must know. */
  warnings(): string[] {
    const { impatient } = this.#options.idle;
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
    `${requests} while virtual time went on: in lockstep they take effect at an instant that depends on the receiver's ` +
    "speed, so the same seed may give another digest; a longer --settle waits for them"
  );
}
