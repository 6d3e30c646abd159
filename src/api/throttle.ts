import { detailError } from "./error.js";

/** Counters are kept apart (service-api.md 1.9). */
export const scopes = ["contacts", "messages", "runs", "others"] as const;
export type Scope = (typeof scopes)[number];

const HOUR_MS = 3_600_000;

/** Limits requests in a sliding hour, per scope. Refused requests are not counted. */
export class Throttle {
  /** Requests an hour; undefined: no limit. */
  #limit: number | undefined;
  readonly #clock: () => number;
  /** When the requests of the last hour came, the oldest first. */
  readonly #times = new Map<Scope, number[]>();
  /** Requests that are to be refused whatever the count, and what they are told. */
  #forcedRefusals = 0;
  #forcedWaitS = 1;

  /** @param clock - wall milliseconds that never go back */
  constructor(limit: number | undefined, clock: () => number) {
    this.#limit = limit;
    this.#clock = clock;
  }

  get limit(): number | undefined {
    return this.#limit;
  }

  /** Sets the limit anew; what was counted stays counted. */
  set limit(limit: number | undefined) {
    this.#limit = limit;
  }

  /** How many of the next requests are refused whatever the count. */
  get forcedRefusals(): number {
    return this.#forcedRefusals;
  }

  /** Refuses the next requests, to try how a client takes it. */
  forceRefusals(options: { readonly requests: number; readonly retryAfterS: number }): void {
    this.#forcedRefusals = options.requests;
    this.#forcedWaitS = options.retryAfterS;
  }

  /** Counts a request. @throws ApiError 429 with Retry-After */
  countRequest(scope: Scope): void {
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
