import type { Delivery, Subscribers } from "../../delivery/index.js";
import type { SimTime } from "../../sim/index.js";

/** Requests whose answers a time loop waits for. */
export interface OutstandingRequests {
  /** The earliest effect of an unanswered request, as `Delivery.horizonMs`: the kernel must stop before it. */
  readonly horizonMs: SimTime;
  /** Attempts that have no answer yet. */
  readonly inFlight: number;
  /** Since when no answer has come although attempts are in flight: monotonic wall milliseconds. */
  readonly silentSinceWallMs: number | undefined;
  /** Resolves at the next answer; at once when nothing is in flight. */
  progress(): Promise<void>;
}

/** Joins the requests to the receiver with those to subscribers of resthooks. */
export function outstandingRequests(delivery: Delivery, subscribers: Subscribers): OutstandingRequests {
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
