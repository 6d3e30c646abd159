import type { HttpClientOptions } from "../client.js";

/** What the thread is given to begin with. */
export interface ClientThreadData {
  readonly options: Omit<HttpClientOptions, "isAllowed" | "wall" | "originMs">;
  /** As `allowedHosts` takes them. */
  readonly allowHosts: readonly string[];
  /** `sharedAheadMs` of the owner. */
  readonly ownerOffsetMs: number;
  /** By the owner's clock. */
  readonly originMs: number;
}

/** What the thread is told beside requests. */
export type ThreadCommand = "withdraw" | "close";

/**
 * By how many milliseconds the clock that all threads share (`process.hrtime`) is ahead of this thread's own
 * (`performance.now`). Neither minds what happens to the time of day. Asked several times, as this thread may be held up
 * between the two.
 */
export function sharedClockOffsetMs(): number {
  let aheadMs = 0;
  let shortestMs = Infinity;
  for (let tries = 0; tries < 10; tries++) {
    const beforeMs = performance.now();
    const [seconds, nanoseconds] = process.hrtime();
    const afterMs = performance.now();
    if (afterMs - beforeMs >= shortestMs) continue;
    shortestMs = afterMs - beforeMs;
    aheadMs = seconds * 1000 + nanoseconds / 1e6 - (beforeMs + afterMs) / 2;
  }
  return aheadMs;
}
