import { WAIT_MS } from "./hang-guard.js";

const POLL_MS = 5;

/**
 * Polls until a condition is true, one that depends on other processes or on sockets.
 *
 * @param what - the condition in words, for the error
 * @throws Error when it is not true within `WAIT_MS`
 */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const endsAtMs = performance.now() + WAIT_MS;
  while (!(await condition())) {
    if (performance.now() > endsAtMs) throw new Error(`waited ${WAIT_MS / 1000} s, but not: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
