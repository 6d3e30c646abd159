/** Tallest element that every browser lays out exactly, in pixels: Firefox stops at 17.8 million. */
const TALLEST = 8_000_000;

/** A movement up to this many pixels comes from a wheel, a finger or a key; a scroll bar moves thousands at a time. */
const SMALL = 4000;

/**
 * Maps the scroll position of a box to the offset in a list that may be taller than a browser can lay out. Small
 * movements (wheel, keys) move the list by the same number of pixels; jumps (the scroll bar) move it in proportion. The
 * two differ only if the list is taller than `TALLEST`.
 */
export class ScrollMap {
  #offset = 0;
  #top = 0;

  /** Height of the element that is scrolled. */
  spacerOf(total: number): number {
    return Math.min(total, TALLEST);
  }

  /** Pixels from the list's top to the top of the box. */
  get offset(): number {
    return this.#offset;
  }

  /** Handles a scroll of the box. @returns the new offset */
  scrolled(top: number, { total, view }: { readonly total: number; readonly view: number }): number {
    const moved = top - this.#top;
    this.#top = top;
    const last = Math.max(0, total - view);
    const lastTop = Math.max(0, this.spacerOf(total) - view);
    if (last === lastTop) this.#offset = top;
    else if (top <= 0) this.#offset = 0;
    else if (top >= lastTop - 1) this.#offset = last;
    else if (Math.abs(moved) <= SMALL) this.#offset = this.#offset + moved;
    else this.#offset = (top / lastTop) * last;
    this.#offset = Math.max(0, Math.min(last, this.#offset));
    return this.#offset;
  }

  /** Moves to an offset. @returns the scroll position to set */
  moveTo(offset: number, { total, view }: { readonly total: number; readonly view: number }): number {
    const last = Math.max(0, total - view);
    const lastTop = Math.max(0, this.spacerOf(total) - view);
    this.#offset = Math.max(0, Math.min(last, offset));
    this.#top = last === 0 ? 0 : Math.round((this.#offset / last) * lastTop);
    return this.#top;
  }
}
