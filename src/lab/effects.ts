import { setTimeout as sleep } from "node:timers/promises";
import type { Idle } from "./time/idle.js";

/** The API is waited for this long after the last answer or request at least and at most: wall milliseconds. */
const QUIET_MS_MIN = 1000;
const QUIET_MS_MAX = 10_000;

/** How often it is looked at: wall milliseconds. */
const LOOK_MS = 50;

/** What an `EffectsWatch` looks at. */
interface Seen {
  readonly idle: Idle;
  /** Monotonic wall milliseconds. */
  readonly wall: () => number;
  /** Texts that have had no effect. */
  readonly waiting: () => number;
  /** The longest that a text has taken to have its effect, wall milliseconds; 0: none had one. */
  readonly slowestMs: () => number;
  readonly lastAnswerAt: () => number | undefined;
}

/**
 * Knows whether the receiver may still do something about the last texts by the API. It may while requests are in
 * flight, and until the API was quiet for twice as long as the slowest text took so far (1 s to 10 s).
 */
export class EffectsWatch {
  readonly #seen: Seen;

  constructor(seen: Seen) {
    this.#seen = seen;
  }

  get mayCome(): boolean {
    const { idle, wall, waiting, slowestMs, lastAnswerAt } = this.#seen;
    if (idle.inFlight > 0) return true;
    if (waiting() === 0) return false;
    const quietMs = Math.min(QUIET_MS_MAX, Math.max(QUIET_MS_MIN, 2 * slowestMs()));
    return wall() - Math.max(lastAnswerAt() ?? -Infinity, idle.lastAt) < quietMs;
  }

  /**
   * What a reader of the result should know where the run ends although an effect may still come.
   *
   * @param advice - what makes the run wait longer, in words; empty: nothing does
   */
  leftText(advice: string): string | undefined {
    const texts = this.#seen.waiting();
    if (texts === 0 || !this.mayCome) return undefined;
    return (
      `clients still called the API when the run ended, and ${texts} ${texts === 1 ? "text" : "texts"} had no effect by then: ` +
      `'unanswered' counts them${advice}`
    );
  }

  /** Resolves when nothing may come any more, after 10 s at the latest, or when `isOver` says so. */
  async wait({ catchUp, isOver }: { readonly catchUp: () => void; readonly isOver: () => boolean }): Promise<void> {
    const endsAt = this.#seen.wall() + QUIET_MS_MAX;
    while (this.mayCome && !isOver() && this.#seen.wall() < endsAt) {
      await sleep(LOOK_MS);
      catchUp();
    }
  }
}
