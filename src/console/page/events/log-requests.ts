import { labGet } from "../connection/lab-client.js";
import type { LogLines } from "../../protocol/index.js";

/** Polling interval for newer events, in wall milliseconds. */
const LOOK_MS = 1000;

/** Requests a page of the log. @throws RequestError */
export function askLog(query: string, stop: AbortSignal): Promise<LogLines> {
  return labGet(`/events?brief=true&${query}`, { signal: stop });
}

/** Runs `look` at once and then every second while the page is visible, until `stop`. */
export async function lookEverySecond(look: () => Promise<void>, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    if (!document.hidden) await look();
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_MS);
    });
  }
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
