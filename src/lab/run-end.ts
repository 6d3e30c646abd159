import { performance } from "node:perf_hooks";

/** When a run gives up, and how its waiting loops are woken. */
export interface RunEndOptions {
  /** Wall milliseconds without an answer after which the run gives up. */
  readonly giveUpAfterMs: number;
  /**
   * Since when attempts are in flight without an answer: monotonic wall milliseconds; undefined when none is in
   * flight.
   */
  readonly silentSinceWallMs: () => number | undefined;
  /** Wakes every waiting loop and client, so that it checks `isOver`. */
  readonly wakeAll: () => void;
}

/**
 * Whether and why a run must end: stopped by hand, failed, stopped by a threshold, or given up on a silent receiver.
 */
export class RunEnd {
  readonly #options: RunEndOptions;
  #failure: { readonly error: unknown } | undefined;
  #isStopped = false;
  #stoppedBy: string | undefined;
  #hasGivenUp = false;

  constructor(options: RunEndOptions) {
    this.#options = options;
  }

  /** Whether the run must end at its next step. */
  get isOver(): boolean {
    return this.#isStopped || this.hasGivenUp;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Whether the receiver has been silent for `giveUpAfterMs`; once true, it stays true. */
  get hasGivenUp(): boolean {
    const { giveUpAfterMs, silentSinceWallMs } = this.#options;
    const since = silentSinceWallMs();
    if (since !== undefined && performance.now() - since >= giveUpAfterMs) this.#hasGivenUp = true;
    return this.#hasGivenUp;
  }

  /** The text of the bound that stopped the run. */
  get stoppedBy(): string | undefined {
    return this.#stoppedBy;
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** @throws the error that the run failed with */
  throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** @param threshold - text of the broken bound that stops the run; absent: stopped by hand */
  stop(threshold?: string): void {
    this.#stoppedBy ??= threshold;
    this.#isStopped = true;
    this.#options.wakeAll();
  }

  /**
   * Ends the run at its next step, as it cannot continue (a full disk, a dead thread); `throwFailure` throws the error.
   */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.stop();
  }

  /** Wakes every waiting loop and client, so that each checks `isOver`. */
  wakeAll(): void {
    this.#options.wakeAll();
  }

  /** Calls `act`; an error fails the run instead of reaching the caller, a socket or timer. */
  guard(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.fail(error);
    }
  }

  /** Resumed runs: restores the recorded end. */
  restore(end: { readonly isStopped: boolean; readonly hasGivenUp: boolean; readonly stoppedBy: string | null }): void {
    this.#isStopped = end.isStopped;
    this.#hasGivenUp = end.hasGivenUp;
    this.#stoppedBy = end.stoppedBy ?? undefined;
  }

  /** For the result. `wasStopped`: by hand or by a threshold. */
  outcome(): { readonly hasGivenUp: boolean; readonly wasStopped: boolean; readonly stoppedBy: string | undefined } {
    return {
      hasGivenUp: this.#hasGivenUp,
      wasStopped: this.#isStopped && !this.#hasGivenUp,
      stoppedBy: this.#stoppedBy,
    };
  }
}
