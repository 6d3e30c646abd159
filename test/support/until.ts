/** Wall milliseconds until a condition counts as failed: long enough for a slow machine. */
const TIMEOUT_MS = 30_000;
const POLL_MS = 5;

/**
 * Polls until a condition holds, one that depends on other processes or on sockets.
 *
 * @param what - the condition in words, for the error
 * @throws Error when it does not hold within 30 s
 */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const endsAtMs = performance.now() + TIMEOUT_MS;
  while (!(await condition())) {
    if (performance.now() > endsAtMs) throw new Error(`waited ${TIMEOUT_MS / 1000} s, but not: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
