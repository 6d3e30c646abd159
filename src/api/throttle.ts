import { detailError } from "./error.js";

/** Each scope has its own request counter (docs/reference/service-api.md#rate-limits). */
export const scopes = ["contacts", "messages", "runs", "others"] as const;
export type ThrottleScope = (typeof scopes)[number];

const HOUR_MS = 3_600_000;

/** Limits requests per scope in a sliding window of one hour. Refused requests are not counted. */
export class Throttle {
  /** Requests per hour; undefined: no limit. */
  #limit: number | undefined;
  readonly #clock: () => number;
  /** Arrival times of the last hour's requests by scope, oldest first. */
  readonly #times = new Map<ThrottleScope, number[]>();
  /** Number of requests still to refuse regardless of the count, and their Retry-After in seconds. */
  #forcedRefusals = 0;
  #forcedWaitS = 1;

  /** @param clock - monotonic wall milliseconds */
  constructor(limit: number | undefined, clock: () => number) {
    this.#limit = limit;
    this.#clock = clock;
  }

  get limit(): number | undefined {
    return this.#limit;
  }

  /** Replaces the limit and keeps the counts. */
  set limit(limit: number | undefined) {
    this.#limit = limit;
  }

  /** Number of next requests that are refused regardless of the count. */
  get forcedRefusals(): number {
    return this.#forcedRefusals;
  }

  /** Refuses the next requests, to test how a client handles a 429. */
  forceRefusals(options: { readonly requests: number; readonly retryAfterS: number }): void {
    this.#forcedRefusals = options.requests;
    this.#forcedWaitS = options.retryAfterS;
  }

  /** Counts a request. @throws ApiError 429 with Retry-After */
  countRequest(scope: ThrottleScope): void {
    if (this.#forcedRefusals > 0) {
      this.#forcedRefusals--;
      throw throttled(this.#forcedWaitS);
    }
    if (this.#limit === undefined) return;
    const now = this.#clock();
    const times = this.#times.get(scope) ?? [];
    this.#times.set(scope, times);
    while (times[0] !== undefined && times[0] <= now - HOUR_MS) times.shift();
    if (times.length >= this.#limit) throw throttled(Math.ceil(((times[0] ?? now) + HOUR_MS - now) / 1000));
    times.push(now);
  }
}

function throttled(seconds: number): Error {
  const unit = seconds === 1 ? "second" : "seconds";
  return detailError(429, `Request was throttled. Expected available in ${seconds} ${unit}.`, {
    "retry-after": String(seconds),
  });
}
