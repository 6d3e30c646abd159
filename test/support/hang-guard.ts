/** Wall milliseconds after which a wait counts as hung. No test measures with it: a busy machine is slow, not wrong. */
export const WAIT_MS = 5 * 60_000;

/** Like `WAIT_MS`, for a whole test: longer, so that a wait's error, which names what is missing, comes first. */
export const TEST_MS = 15 * 60_000;
