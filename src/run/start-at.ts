import { setTimeout as sleep } from "node:timers/promises";

/** The host's clock is looked at so often while a start is waited for, as somebody may set it. Wall milliseconds. */
const CHECK_MS = 500;

/** From here on a late start is worth a word: more than clocks of machines in one cluster differ. Wall milliseconds. */
const LATE_MS = 100;

/**
 * Waits for the instant at which a run is to begin, by the host's clock.
 *
 * @param options - `startAtMs`: milliseconds since 1970; `signal`: ends the waiting
 * @returns how late it is, in a sentence; undefined: it is not
 */
export async function waitForStart({
  startAtMs,
  signal,
}: {
  readonly startAtMs: number;
  readonly signal: AbortSignal;
}): Promise<string | undefined> {
  const lateMs = Date.now() - startAtMs;
  if (lateMs > LATE_MS) {
    return (
      `the run began ${(lateMs / 1000).toFixed(1)} s after the instant that it was to begin at: everything in it is so ` +
      "much later than in runs that began in time"
    );
  }
  for (;;) {
    const leftMs = startAtMs - Date.now();
    if (leftMs <= 0 || signal.aborted) return undefined;
    await sleep(Math.min(leftMs, CHECK_MS), undefined, { signal }).catch(() => undefined);
  }
}
