import type { Delivery, ServiceRequests } from "../../delivery/index.js";
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

/** Joins the attempts at the receiver with the other requests of the service. */
export function outstandingRequests(delivery: Delivery, requests: ServiceRequests): OutstandingRequests {
  return {
    get horizonMs() {
      return Math.min(delivery.horizonMs, requests.horizonMs);
    },
    get inFlight() {
      return delivery.inFlight + requests.inFlight;
    },
    get silentSinceWallMs() {
      const since = [delivery.silentSinceWallMs, requests.silentSinceWallMs].filter((one) => one !== undefined);
      return since.length === 0 ? undefined : Math.max(...since);
    },
    progress() {
      if (requests.inFlight === 0) return delivery.progress();
      return delivery.inFlight === 0 ? requests.progress() : Promise.race([delivery.progress(), requests.progress()]);
    },
  };
}
