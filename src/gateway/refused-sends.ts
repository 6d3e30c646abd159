import type { SimTime } from "../sim/index.js";

/** Why a channel makes no message: it is released, or another organisation has claimed it. */
export type RefusalCause = "released" | "moved";

/** Messages that the service did not make for one channel and one cause. */
export interface RefusedSends {
  /** The handset's selector, `clinic/3`. */
  readonly handset: string;
  readonly cause: RefusalCause;
  count: number;
  /** When the first one was refused. */
  readonly firstAtMs: SimTime;
}

/** Counts the messages that the service refuses to make because their channel is not active. */
export class RefusalCounts {
  /** By channel and cause, in the order of the first refusal. */
  readonly #counts = new Map<string, RefusedSends>();

  /** Counts one more. @param handset - its selector */
  add(handset: string, cause: RefusalCause, atMs: SimTime): void {
    const key = `${cause} ${handset}`;
    const known = this.#counts.get(key);
    if (known === undefined) this.#counts.set(key, { handset, cause, count: 1, firstAtMs: atMs });
    else known.count++;
  }

  /** In the order of the first refusal. */
  list(): readonly RefusedSends[] {
    return [...this.#counts.values()];
  }
}
