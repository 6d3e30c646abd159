import type { HttpClientOptions } from "../client.js";

/** `workerData` of the client thread. */
export interface ClientThreadData {
  readonly options: Omit<HttpClientOptions, "isAllowed" | "wall" | "originMs">;
  /** As in `allowedHosts`. */
  readonly allowHosts: readonly string[];
  /** `sharedClockOffsetMs()` of the thread that posts. */
  readonly ownerOffsetMs: number;
  /** By the clock of the thread that posts. */
  readonly originMs: number;
  /** See `ThreadOptions`. */
  readonly keepsTime?: boolean | undefined;
}

/** Options of the thread beside those of its client. */
export interface ThreadOptions {
  /** As in `allowedHosts`. */
  readonly allowHosts: readonly string[];
  /**
   * Requests have due times that were known long before, and their results are not urgent: the thread warms up before
   * the first request, and returns results every 20 ms.
   */
  readonly keepsTime?: boolean | undefined;
}

/** Messages to the thread other than batches of requests. */
export type ThreadCommand = "withdraw" | "close";

/**
 * Offset of the clock that all threads share (`process.hrtime`) to this thread's `performance.now`, in milliseconds.
 * Both are monotonic. Takes the best of ten samples, since the thread may be suspended between two readings.
 */
export function sharedClockOffsetMs(): number {
  let offsetMs = 0;
  let shortestMs = Infinity;
  for (let tries = 0; tries < 10; tries++) {
    const beforeMs = performance.now();
    const [seconds, nanoseconds] = process.hrtime();
    const afterMs = performance.now();
    if (afterMs - beforeMs >= shortestMs) continue;
    shortestMs = afterMs - beforeMs;
    offsetMs = seconds * 1000 + nanoseconds / 1e6 - (beforeMs + afterMs) / 2;
  }
  return offsetMs;
}
