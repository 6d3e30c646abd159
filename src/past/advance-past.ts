import type { OnProgress } from "../base/index.js";
import type { PastLab } from "./past-lab.js";

/** Reports of progress up to the instant. */
const STEPS = 100;

/**
 * Advances a lab to an instant in steps, with a report after each.
 *
 * @param options - `untilMs`: the instant; `atMs`: where the last session is to arrive; `mayGoOn`: asked before each step
 */
export async function advancePast(
  past: PastLab,
  {
    untilMs,
    atMs,
    mayGoOn,
    onProgress,
  }: {
    readonly untilMs: number;
    readonly atMs: number;
    readonly mayGoOn: () => boolean;
    readonly onProgress: OnProgress | undefined;
  },
): Promise<void> {
  const stepMs = Math.max(1, Math.ceil(untilMs / STEPS));
  for (let nextMs = past.atMs + stepMs; nextMs < untilMs && mayGoOn(); nextMs += stepMs) {
    await past.advanceTo(nextMs);
    onProgress?.({ operation: "playing the run again", done: nextMs, total: atMs });
  }
  if (mayGoOn()) await past.advanceTo(untilMs);
}
