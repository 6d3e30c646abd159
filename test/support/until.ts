/** Wall milliseconds after which a condition is given up: for what hangs, not for what is slow. */
const TIMEOUT_MS = 30_000;
const POLL_MS = 5;

/**
 * Polls until a condition holds that other processes or sockets decide.
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
