import { setTimeout as sleep } from "node:timers/promises";
import type { ApiIdleness } from "./time/api-idleness.js";

/** Bounds of the quiet time after the last answer or request: wall milliseconds. */
const QUIET_MS_MIN = 1000;
const QUIET_MS_MAX = 10_000;

/** Interval of checks: wall milliseconds. */
const CHECK_MS = 50;

interface PendingApiEffectsOptions {
  readonly apiIdleness: ApiIdleness;
  /** Monotonic wall milliseconds. */
  readonly wall: () => number;
  /** Texts without an effect so far. */
  readonly waiting: () => number;
  /** Longest time from a text to its effect, wall milliseconds; 0: no text had one. */
  readonly slowestMs: () => number;
  readonly lastAnswerAt: () => number | undefined;
}

/**
 * Whether API clients may still react to the last texts: while requests are in flight, and until the API was quiet for
 * twice the longest time that a text's effect took so far (1 s to 10 s).
 */
export class PendingApiEffects {
  readonly #options: PendingApiEffectsOptions;

  constructor(seen: PendingApiEffectsOptions) {
    this.#options = seen;
  }

  get mayOccur(): boolean {
    const { apiIdleness, wall, waiting, slowestMs, lastAnswerAt } = this.#options;
    if (apiIdleness.inFlight > 0) return true;
    if (waiting() === 0) return false;
    const quietMs = Math.min(QUIET_MS_MAX, Math.max(QUIET_MS_MIN, 2 * slowestMs()));
    return wall() - Math.max(lastAnswerAt() ?? -Infinity, apiIdleness.lastActivityAt) < quietMs;
  }

  /**
   * A warning if the run ends although an effect may still occur.
   *
   * @param advice - how to make the run wait longer; empty when that is impossible
   */
  missedText(advice: string): string | undefined {
    const texts = this.#options.waiting();
    if (texts === 0 || !this.mayOccur) return undefined;
    return (
      `clients still called the API when the run ended, and ${texts} ${texts === 1 ? "text" : "texts"} had no effect by then: ` +
      `'unanswered' counts them${advice}`
    );
  }

  /** Resolves when no effect may occur any more, after 10 s at the latest, or when the run is over. */
  async waitUntilQuiet({
    catchUp,
    isOver,
  }: {
    readonly catchUp: () => void;
    readonly isOver: () => boolean;
  }): Promise<void> {
    const endsAt = this.#options.wall() + QUIET_MS_MAX;
    while (this.mayOccur && !isOver() && this.#options.wall() < endsAt) {
      await sleep(CHECK_MS);
      catchUp();
    }
  }
}
