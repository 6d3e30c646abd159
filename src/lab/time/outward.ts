import type { Delivery, Subscribers } from "../../delivery/index.js";
import type { SimTime } from "../../sim/index.js";

/** What goes out and is waited for: whoever drives the kernel minds it. */
export interface Outward {
  /** As of `Delivery`: the kernel must not be stepped to it. */
  readonly horizonMs: SimTime;
  /** Attempts whose answer is awaited. */
  readonly inFlight: number;
  /** Since when nobody has answered of those who are waited for, by the wall clock. */
  readonly silentSinceWallMs: number | undefined;
  /** Resolves at the next answer; at once when none is awaited. */
  progress(): Promise<void>;
}

/** Events on their way to the receiver, and resthooks' on their way to subscribers, as one. */
export function outward(delivery: Delivery, subscribers: Subscribers): Outward {
  return {
    get horizonMs() {
      return Math.min(delivery.horizonMs, subscribers.horizonMs);
    },
    get inFlight() {
      return delivery.inFlight + subscribers.inFlight;
    },
    get silentSinceWallMs() {
      const since = [delivery.silentSinceWallMs, subscribers.silentSinceWallMs].filter((one) => one !== undefined);
      return since.length === 0 ? undefined : Math.max(...since);
    },
    progress() {
      if (subscribers.inFlight === 0) return delivery.progress();
      return delivery.inFlight === 0
        ? subscribers.progress()
        : Promise.race([delivery.progress(), subscribers.progress()]);
    },
  };
}
