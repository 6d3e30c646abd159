import { labGet } from "../connection/lab-client.js";
import { isRefusal, whenServerIsBack } from "../connection/retry.js";
import type { LogLines } from "../../protocol/index.js";

/** Polling interval for newer events, in wall milliseconds. */
const LOOK_MS = 1000;

/** Requests a page of the log. @throws RequestError */
export function askLog(query: string, stop: AbortSignal): Promise<LogLines> {
  return labGet(`/events?brief=true&${query}`, { signal: stop });
}

/**
 * Runs `look` at once and then every second while the page is visible and the server is there, until `stop` or a
 * refusal.
 *
 * @param error - of the last look; undefined: it was answered
 */
export async function lookEverySecond(
  look: () => Promise<void>,
  { stop, error }: { readonly stop: AbortSignal; readonly error: () => unknown },
): Promise<void> {
  while (!stop.aborted && !isRefusal(error())) {
    if (!document.hidden) await look();
    await whenServerIsBack(stop);
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_MS);
    });
  }
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
