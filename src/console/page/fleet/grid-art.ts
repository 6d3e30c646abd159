import type { CellSize } from "./layout.js";
import type { HandsetIndex } from "./names.js";

/** Draws a handset of the grid: `CellArt` or `TileArt`. */
export interface GridArt {
  readonly cell: CellSize;
  /**
   * Draws a handset on ground that is clear.
   *
   * @param left - device pixels, as `top`
   * @param pulses - bits of `pulse`: what has just happened
   */
  paint(
    context: CanvasRenderingContext2D,
    index: HandsetIndex,
    place: { readonly left: number; readonly top: number },
    look: { readonly isSelected: boolean; readonly pulses: number },
  ): void;
}

/** What waits on a phone in five steps: fewer than 5 are under way at any time; up to 19, 99, 499, more. */
export function queueStep(queue: number): number {
  if (queue < 5) return 0;
  return queue < 20 ? 1 : queue < 100 ? 2 : queue < 500 ? 3 : 4;
}
