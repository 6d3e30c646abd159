import { signal } from "@preact/signals";

/** The moment of the past that the page shows or is computing, in virtual milliseconds; undefined: now. */
export const moment = signal<number | undefined>(undefined);

/**
 * The moment of requests; undefined: now. It follows `moment` when the handle is at rest. Components read it to repeat
 * requests when it changes; `askAbout` changes it.
 */
export const requestMoment = signal<number | undefined>(undefined);

/**
 * Id of this page in its requests: a request for a later moment cancels the page's earlier ones, but not those of other
 * pages.
 */
export const viewer: string = Math.random().toString(36).slice(2, 10);

let leaving = new AbortController();

/** Sets the moment of requests, and aborts requests about the previous one. */
export function askAbout(atMs: number | undefined): void {
  if (requestMoment.peek() === atMs) return;
  leaving.abort();
  leaving = new AbortController();
  requestMoment.value = atMs;
}

/** A signal that aborts when the moment of requests changes. */
export function leavingMoment(): AbortSignal {
  return leaving.signal;
}
