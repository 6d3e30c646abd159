import type { HandsetBlock } from "./arrangement.js";

/** Sizes in CSS pixels. */
export interface CellSize {
  readonly width: number;
  readonly height: number;
  readonly gap: number;
}

export interface Space {
  readonly width: number;
  /** Height of a block's label; 0: none. */
  readonly label: number;
  /** Least width of a block, so that its label fits. */
  readonly labelWidth: number;
  /** Gap between blocks. */
  readonly blockGap: number;
}

/** A block's place. */
export interface PlacedBlock {
  readonly block: HandsetBlock;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  /** Top of its cells. */
  readonly cellsTop: number;
  readonly height: number;
  readonly perRow: number;
}

/** The places of all cells. Blocks are in columns, in the order of the arrangement. */
export interface GridLayout {
  readonly cell: CellSize;
  readonly width: number;
  readonly height: number;
  readonly blocks: readonly PlacedBlock[];
}

/** A rectangle of the grid, CSS pixels. */
export interface Place {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Box {
  left: number;
  top: number;
}

/** The most columns of blocks. */
const COLUMNS_MAX = 24;

/**
 * Places blocks from left to right and from top to bottom, in the number of columns with the least height.
 *
 * @param cellIn - the size of cells in a block of a width
 */
export function layOut(
  blocks: readonly HandsetBlock[],
  cellIn: (blockWidth: number) => CellSize,
  space: Space,
): GridLayout {
  const most = Math.min(COLUMNS_MAX, blocks.length, Math.floor(space.width / Math.max(1, space.labelWidth)));
  let best = inColumns(blocks, cellIn, space, 1);
  for (let columns = 2; columns <= most; columns++) {
    const layout = inColumns(blocks, cellIn, space, columns);
    if (layout.height < best.height) best = layout;
  }
  return best;
}

/** Blocks of one width, in rows that are as high as the highest of each. */
function inColumns(
  blocks: readonly HandsetBlock[],
  cellIn: (blockWidth: number) => CellSize,
  space: Space,
  columns: number,
): GridLayout {
  const width = Math.floor((space.width - (columns - 1) * space.blockGap) / columns);
  const cell = cellIn(width);
  const step = cell.width + cell.gap;
  const fitting = Math.max(1, Math.floor((width + cell.gap) / step));
  const placed: PlacedBlock[] = [];
  let top = 0;
  let highest = 0;
  blocks.forEach((block, nth) => {
    const column = nth % columns;
    if (column === 0 && nth > 0) {
      top += highest + space.blockGap;
      highest = 0;
    }
    const perRow = Math.max(1, Math.min(fitting, block.count));
    const rows = Math.ceil(block.count / perRow);
    const height = space.label + rows * (cell.height + cell.gap) - cell.gap;
    placed.push({
      block,
      left: column * (width + space.blockGap),
      top,
      width,
      cellsTop: top + space.label,
      height,
      perRow,
    });
    highest = Math.max(highest, height);
  });
  return { cell, width: space.width, height: top + highest, blocks: placed };
}

/** Writes a position's place into `box`. @returns false: there is no such position */
export function boxOf(layout: GridLayout, position: number, box: Box): boolean {
  const placed = blockAt(layout, position);
  if (placed === undefined) return false;
  const { cell } = layout;
  const nth = position - placed.block.start;
  box.left = placed.left + (nth % placed.perRow) * (cell.width + cell.gap);
  box.top = placed.cellsTop + Math.floor(nth / placed.perRow) * (cell.height + cell.gap);
  return true;
}

/** The position at a point; -1: none. A gap belongs to the cell before it. */
export function positionAt({ blocks, cell }: GridLayout, x: number, y: number): number {
  for (const placed of blocks) {
    const { block, left, width, top, cellsTop, height, perRow } = placed;
    if (x < left || x > left + width || y < cellsTop || y > top + height) continue;
    const column = Math.floor((x - left) / (cell.width + cell.gap));
    const nth = Math.floor((y - cellsTop) / (cell.height + cell.gap)) * perRow + column;
    return column < perRow && nth < block.count ? block.start + nth : -1;
  }
  return -1;
}

/** Calls `visit` with each position whose cell touches the rectangle. */
export function eachIn(
  { blocks, cell }: GridLayout,
  area: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number },
  visit: (position: number) => void,
): void {
  const [stepX, stepY] = [cell.width + cell.gap, cell.height + cell.gap];
  for (const { block, left, cellsTop, top, width, height, perRow } of blocks) {
    if (area.right < left || area.left > left + width || area.bottom < cellsTop || area.top > top + height) continue;
    const rows = Math.ceil(block.count / perRow);
    const firstRow = Math.max(0, Math.floor((area.top - cellsTop + cell.gap) / stepY));
    const lastRow = Math.min(rows - 1, Math.floor((area.bottom - cellsTop) / stepY));
    const firstColumn = Math.max(0, Math.floor((area.left - left + cell.gap) / stepX));
    const lastColumn = Math.min(perRow - 1, Math.floor((area.right - left) / stepX));
    for (let row = firstRow; row <= lastRow; row++) {
      for (let column = firstColumn; column <= lastColumn; column++) {
        const nth = row * perRow + column;
        if (nth < block.count) visit(block.start + nth);
      }
    }
  }
}

/** The position to which a key moves from another one. `page` is the height of a screen. */
export function movedBy(layout: GridLayout, position: number, key: string, page: number): number {
  const last = (layout.blocks.at(-1)?.block.start ?? 0) + (layout.blocks.at(-1)?.block.count ?? 1) - 1;
  switch (key) {
    case "ArrowRight":
      return Math.min(last, position + 1);
    case "ArrowLeft":
      return Math.max(0, position - 1);
    case "ArrowDown":
      return vertical(layout, position, 1);
    case "ArrowUp":
      return vertical(layout, position, -1);
    case "PageDown":
    case "PageUp": {
      const sign = key === "PageDown" ? 1 : -1;
      const rows = Math.max(1, Math.floor(page / (layout.cell.height + layout.cell.gap)) - 1);
      let at = position;
      for (let row = 0; row < rows; row++) at = vertical(layout, at, sign);
      return at;
    }
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return position;
  }
}

/** The position one row down or up; beyond a block, the nearest cell of the next block. */
function vertical(layout: GridLayout, position: number, sign: 1 | -1): number {
  const placed = blockAt(layout, position);
  if (placed === undefined) return position;
  const { block, perRow } = placed;
  const nth = position - block.start;
  const target = nth + sign * perRow;
  if (target >= 0 && target < block.count) return block.start + target;
  // The last row may be short: from the row above, the key moves to its last cell.
  const lastRow = Math.floor((block.count - 1) / perRow);
  if (sign === 1 && Math.floor(nth / perRow) < lastRow) return block.start + block.count - 1;
  return nearestBeyond(layout, position, sign) ?? position;
}

function nearestBeyond(layout: GridLayout, position: number, sign: 1 | -1): number | undefined {
  const from: Box = { left: 0, top: 0 };
  boxOf(layout, position, from);
  const { width, height, gap } = layout.cell;
  const origin = blockAt(layout, position);
  let best: { readonly placed: PlacedBlock; readonly distance: number } | undefined;
  for (const placed of layout.blocks) {
    if (placed === origin) continue;
    const bottom = placed.top + placed.height;
    const away = sign === 1 ? placed.cellsTop - from.top - height : from.top - bottom;
    if (away < 0) continue;
    const middle = from.left + width / 2;
    const aside = Math.max(placed.left - middle, middle - placed.left - placed.perRow * (width + gap), 0);
    const distance = away * 4 + aside;
    if (best === undefined || distance < best.distance) best = { placed, distance };
  }
  if (best === undefined) return undefined;
  const { block, left, perRow } = best.placed;
  const column = Math.max(0, Math.min(perRow - 1, Math.floor((from.left + width / 2 - left) / (width + gap))));
  const row = sign === 1 ? 0 : Math.floor((block.count - 1) / perRow);
  return block.start + Math.min(block.count - 1, row * perRow + column);
}

/** Binary search: blocks are in the order of positions. */
function blockAt({ blocks }: GridLayout, position: number): PlacedBlock | undefined {
  let low = 0;
  let high = blocks.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const placed = blocks[middle];
    if (placed === undefined) return undefined;
    if (position < placed.block.start) high = middle - 1;
    else if (position >= placed.block.start + placed.block.count) low = middle + 1;
    else return placed;
  }
  return undefined;
}
