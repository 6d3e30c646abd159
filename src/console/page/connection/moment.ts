import { signal } from "@preact/signals";

/** The moment of the past that the page goes to, virtual milliseconds; undefined: now. */
export const moment = signal<number | undefined>(undefined);

/**
 * The moment about which requests ask: it follows `moment` when the hand rests. Undefined: now. Read it where answers
 * must be asked for again when the moment changes; `askAbout` changes it.
 */
export const requestMoment = signal<number | undefined>(undefined);

/** Names this page in its requests: a later moment of one page refuses its earlier ones, and no other page's. */
export const viewer: string = Math.random().toString(36).slice(2, 10);

let leaving = new AbortController();

/** Requests ask about another moment from now on: those about the one before end without an answer. */
export function askAbout(atMs: number | undefined): void {
  if (requestMoment.peek() === atMs) return;
  leaving.abort();
  leaving = new AbortController();
  requestMoment.value = atMs;
}

/** Aborted when requests ask about another moment. */
export function leavingMoment(): AbortSignal {
  return leaving.signal;
}
