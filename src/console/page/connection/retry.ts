import { effect } from "@preact/signals";
import { RequestError } from "./lab-client.js";
import { connection } from "./state.js";

/** Statuses that may change by themselves: a timeout, a conflict with a current operation, too many requests. */
const PASSING = new Set([408, 409, 425, 429]);

/** Whether a request was refused for good: the same request gets the same answer, so it is not sent again. */
export function isRefusal(error: unknown): boolean {
  return error instanceof RequestError && error.status >= 400 && error.status < 500 && !PASSING.has(error.status);
}

/** Whether the connection is lost. The frame reports it once; views do not, and send nothing until the server is back. */
export function isServerGone(): boolean {
  return connection.peek() === "lost";
}

/** Whether an error only says what the frame says already. It reads the connection, so a component is drawn again. */
export function isOfLostServer(error: unknown): boolean {
  return connection.value === "lost" && error instanceof RequestError && error.status === 0;
}

/** Resolves at once, or when the server is back, or after `stop`. */
export function whenServerIsBack(stop: AbortSignal): Promise<void> {
  if (!isServerGone() || stop.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    let unfollow = (): void => undefined;
    const end = (): void => {
      unfollow();
      resolve();
    };
    // The first call is at once, before `effect` returns: the server is gone then.
    unfollow = effect(() => {
      if (connection.value === "live") queueMicrotask(end);
    });
    stop.addEventListener("abort", end, { once: true });
  });
}
