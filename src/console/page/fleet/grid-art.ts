import type { CellSize } from "./layout.js";
import type { HandsetIndex } from "./names.js";

/** Draws a handset of the grid: `CellArt` or `TileArt`. */
export interface GridArt {
  readonly cell: CellSize;
  /**
   * Draws a handset on a cleared area.
   *
   * @param left - device pixels, as `top`
   * @param pulses - bits of `pulse`: recent activity
   */
  paint(
    context: CanvasRenderingContext2D,
    index: HandsetIndex,
    place: { readonly left: number; readonly top: number },
    look: { readonly isSelected: boolean; readonly pulses: number },
  ): void;
}

/**
 * Classifies the length of a phone's queue into five steps: below 5, as at any time; up to 19; up to 99; up to 499;
 * more.
 */
export function queueStep(queue: number): number {
  if (queue < 5) return 0;
  return queue < 20 ? 1 : queue < 100 ? 2 : queue < 500 ? 3 : 4;
}
