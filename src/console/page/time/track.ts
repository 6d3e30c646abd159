import type { PastMark, ReadyPast } from "../../protocol/index.js";

/** Height of the highest bar, in the units of the track's drawing: its width is 1000. */
export const TRACK_HEIGHT = 40;
export const TRACK_WIDTH = 1000;

/**
 * The outline of bars of counts as an SVG path. Heights are square roots, so that small counts are visible beside large
 * ones.
 *
 * @param most - the count of a bar of full height
 */
export function barsPath(counts: readonly number[], most: number): string {
  if (counts.length === 0 || most <= 0) return "";
  const width = TRACK_WIDTH / counts.length;
  let path = "";
  counts.forEach((count, index) => {
    if (count <= 0) return;
    const height = Math.max(2, Math.sqrt(Math.min(1, count / most)) * TRACK_HEIGHT);
    path += `M${round(index * width)} ${TRACK_HEIGHT}v${round(-height)}h${round(width)}v${round(height)}z`;
  });
  return path;
}

/** The next mark after an instant, or the last one before it. */
export function markBeside(
  marks: readonly PastMark[],
  atMs: number,
  direction: "next" | "previous",
): PastMark | undefined {
  return direction === "next" ? marks.find((mark) => mark.atMs > atMs) : marks.findLast((mark) => mark.atMs < atMs);
}

/** The mark nearest to an instant, within a distance. */
export function markNear(marks: readonly PastMark[], atMs: number, withinMs: number): PastMark | undefined {
  let found: PastMark | undefined;
  let least = withinMs;
  for (const mark of marks) {
    const distance = Math.abs(mark.atMs - atMs);
    if (distance > least) continue;
    least = distance;
    found = mark;
  }
  return found;
}

/** Largest distance between pointer and mark for a hit, in pixels. */
const CATCH_PX = 6;

/** The mark under the pointer, for both tooltip and press. @param widthPx - of the track */
export function markUnder(
  { marks, fromMs, untilMs }: Pick<ReadyPast, "marks" | "fromMs" | "untilMs">,
  atMs: number,
  widthPx: number,
): PastMark | undefined {
  return markNear(marks, atMs, ((untilMs - fromMs) * CATCH_PX) / Math.max(1, widthPx));
}

/** Step of the arrow keys: about a hundredth of the whole, as a round span. */
export function keyStepMs(spanMs: number): number {
  const steps = [1000, 5000, 10_000, 30_000, 60_000, 300_000, 600_000, 1_800_000, 3_600_000];
  return steps.find((step) => step >= spanMs / 200) ?? 3_600_000;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
