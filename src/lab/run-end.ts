import { performance } from "node:perf_hooks";

export interface RunEndOptions {
  /** Wall milliseconds without an answer after which the run gives up. */
  readonly giveUpAfterMs: number;
  /** Since when attempts are out and no answer has come, on the wall clock; undefined: no attempt is out, or answers come. */
  readonly silentSinceWallMs: () => number | undefined;
  /** Wakes everything that waits, so that it sees that the run is over. */
  readonly wakeAll: () => void;
}

/** Whether and why a run must end: stopped by hand, failed, stopped by a threshold, or given up on a silent receiver. */
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

  /** Whether the receiver was silent for too long. Checks the clock. */
  get hasGivenUp(): boolean {
    const { giveUpAfterMs, silentSinceWallMs } = this.#options;
    const since = silentSinceWallMs();
    if (since !== undefined && performance.now() - since >= giveUpAfterMs) this.#hasGivenUp = true;
    return this.#hasGivenUp;
  }

  /** The threshold that stopped the run. */
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

  /** @param threshold - the one that is broken, where one stops the run */
  stop(threshold?: string): void {
    this.#stoppedBy ??= threshold;
    this.#isStopped = true;
    this.#options.wakeAll();
  }

  /** The run cannot continue (a full disk, a dead thread): it ends at its next step, and `throwFailure` throws this. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.stop();
  }

  /** Wakes everything that waits, so that it sees that the run is over. */
  wakeAll(): void {
    this.#options.wakeAll();
  }

  /** Runs a callback of a socket or timer, where a throw would be lost: it fails the run instead. */
  guard(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.fail(error);
    }
  }

  /** Restores the end that a resumed run had come to before it was killed. */
  restore(end: { readonly isStopped: boolean; readonly hasGivenUp: boolean; readonly stoppedBy: string | null }): void {
    this.#isStopped = end.isStopped;
    this.#hasGivenUp = end.hasGivenUp;
    this.#stoppedBy = end.stoppedBy ?? undefined;
  }

  /** For the result. `wasStopped`: by hand or by a threshold. */
  tallies(): { readonly hasGivenUp: boolean; readonly wasStopped: boolean; readonly stoppedBy: string | undefined } {
    return {
      hasGivenUp: this.#hasGivenUp,
      wasStopped: this.#isStopped && !this.#hasGivenUp,
      stoppedBy: this.#stoppedBy,
    };
  }
}
