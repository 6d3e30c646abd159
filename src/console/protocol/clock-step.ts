import type { ClockView } from "./answers/index.js";

/** Shortest step. Steps of the console are at least a minute; shorter ones are not visible on the charts. */
const STEP_MS = 30_000;

/**
 * Whether virtual time advanced by more than the clock's speed explains: it was stepped or jumped. The limit is twice
 * the expected time, because a paced clock may catch up after a late frame, and its speed may change within the second.
 *
 * @param passed - virtual and wall milliseconds between two readings of the clock
 */
export function isStepped(
  { speed }: Pick<ClockView, "speed">,
  passed: { readonly atMs: number; readonly wallMs: number },
): boolean {
  return speed > 0 && passed.atMs > 2 * speed * passed.wallMs + STEP_MS;
}
