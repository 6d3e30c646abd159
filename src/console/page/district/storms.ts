import type { Stream } from "./dot-flow.js";
import { STREAM_FROM } from "./dot-flow.js";
import { QUEUE_FROM, type VillageState } from "./village-state.js";

/** Time after a village's link has returned in which its stream counts as a storm, milliseconds. */
const RETURN_MS = 15_000;
/** How long the words about a storm stay after it, milliseconds. */
const STORM_MS = 5000;

/**
 * Villages that send at once what waited while they had no link. Much traffic alone is no storm. Pure: the caller passes
 * the time.
 */
export class Storms {
  /** When a village with a queue last had no link. */
  readonly #silentMs = new Map<number, number>();
  readonly #shown = new Map<number, { readonly count: number; readonly untilMs: number }>();
  #before: readonly VillageState[] = [];

  /** Takes the states of a frame. */
  takeStates(states: readonly VillageState[], nowMs: number): void {
    for (const [village, state] of states.entries()) {
      // The state of the previous frame lasted until this one.
      const isSilent = [state, this.#before[village]].some(
        (one) => one !== undefined && !one.hasLink && one.waiting >= QUEUE_FROM,
      );
      if (isSilent) this.#silentMs.set(village, nowMs);
    }
    this.#before = states;
  }

  /** Texts that each village has sent in its storm so far; 0: none. @param streams - texts of each village to the service */
  counts(streams: readonly Readonly<Stream>[], nowMs: number): number[] {
    return streams.map(({ rate, count }, village) => {
      const last = this.#shown.get(village);
      const isBack = nowMs - (this.#silentMs.get(village) ?? -Infinity) < RETURN_MS;
      if (rate >= STREAM_FROM && isBack) this.#shown.set(village, { count, untilMs: nowMs + STORM_MS });
      else if (last !== undefined && last.untilMs < nowMs) this.#shown.delete(village);
      return this.#shown.get(village)?.count ?? 0;
    });
  }

  /** Forgets all states: the next ones may be of another moment. */
  clear(): void {
    this.#silentMs.clear();
    this.#shown.clear();
    this.#before = [];
  }
}
