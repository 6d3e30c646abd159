import { setTimeout as sleep } from "node:timers/promises";

/** Interval at which the host's clock is read while waiting, since it may be set meanwhile. Wall milliseconds. */
const CHECK_MS = 500;

/** Lateness from which a start gets a warning: more than the clocks of one cluster differ. Wall milliseconds. */
const LATE_MS = 100;

/**
 * Waits until the start of a run by the host's clock.
 *
 * @param options - `startAtMs`: milliseconds since 1970; `signal`: ends the wait
 * @returns a warning if the start was in the past; undefined: it was not
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
      `the run began ${(lateMs / 1000).toFixed(1)} s after --start-at: all its events are that much later than those of ` +
      "runs that began in time"
    );
  }
  for (;;) {
    const leftMs = startAtMs - Date.now();
    if (leftMs <= 0 || signal.aborted) return undefined;
    await sleep(Math.min(leftMs, CHECK_MS), undefined, { signal }).catch(() => undefined);
  }
}
