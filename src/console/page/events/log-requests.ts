import { labGet } from "../connection/lab-client.js";
import type { LogLines } from "../../protocol/index.js";

/** Wall milliseconds between looks for newer events. */
const LOOK_MS = 1000;

/** Asks for a page of the log. @throws RequestError */
export function askLog(query: string, stop: AbortSignal): Promise<LogLines> {
  return labGet(`/events?brief=true&${query}`, { signal: stop });
}

/** Runs `look` once a second while the page is seen, until `stop`. It begins at once. */
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
