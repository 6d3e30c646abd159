import type { HandsetBlock } from "./arrangement.js";
import type { DetailLevel } from "./fleet-query.js";
import { type CellSize, type GridLayout, layOut, type Space } from "./layout.js";

/** The grid's space. */
export interface Room {
  readonly width: number;
  /** Height of the screen that is left for the grid. */
  readonly height: number;
  /** Scale of the design: CSS pixels per 16 design pixels. Larger on projectors. */
  readonly scale: number;
  /** Whether the user points with fingers, which need larger cells. */
  readonly isTouch: boolean;
}

export interface ChosenLevel {
  readonly level: Exclude<DetailLevel, "table">;
  readonly layout: GridLayout;
}

/** The most handsets that can be shown as cards. */
export const CARDS_MAX = 1000;

/** The most handsets that are shown as cards or tiles by default. */
const AUTO_MOST = { cards: 60, tiles: 600 } as const;
/** Up to this many screens, cards or tiles are preferred to the next level. On a phone, scrolling is easy. */
const SCREENS = { wide: { cards: 1.3, tiles: 2.5 }, narrow: { cards: 8, tiles: 8 } } as const;
/** Largest width of a narrow grid, in CSS pixels at scale 1. */
const NARROW = 700;
/** Tiles are enlarged by up to this factor while all fit on the screen. */
const TILE_GROWTH_MAX = 1.6;
const CELL_LEAST = 10;
const CELL_MOST = 28;

/**
 * Chooses the level of detail by count and space, and lays it out. Cells have the largest size with which all fit on
 * one screen.
 *
 * @param wanted - the level that the user chose; above `CARDS_MAX`, cards are replaced by tiles
 */
export function chooseLevel(
  blocks: readonly HandsetBlock[],
  room: Room,
  wanted: Exclude<DetailLevel, "table"> | undefined,
): ChosenLevel {
  const count = blocks.reduce((sum, block) => sum + block.count, 0);
  const isLabelled = blocks.some(({ label }) => label !== "");
  const isNarrow = room.width <= NARROW * room.scale;
  const screens = SCREENS[isNarrow ? "narrow" : "wide"];
  const height = isNarrow ? Math.max(room.height, 480 * room.scale) : room.height;
  if (wanted === "cards" ? count <= CARDS_MAX : wanted === undefined && count <= AUTO_MOST.cards) {
    const layout = layOut(blocks, (width) => cardSize(room, width, count), spaceOf(room, isLabelled, 352));
    if (wanted === "cards" || count <= FEW || layout.height <= screens.cards * height)
      return { level: "cards", layout };
  }
  if (wanted === "tiles" || (wanted === undefined && count <= AUTO_MOST.tiles)) {
    const layout = tileLayout(blocks, room, isLabelled);
    if (wanted === "tiles" || layout.height <= screens.tiles * height) return { level: "tiles", layout };
  }
  return { level: "cells", layout: cellLayout(blocks, room, isLabelled) };
}

/** The largest tiles with which all fit on the screen; the least size if none does. */
function tileLayout(blocks: readonly HandsetBlock[], room: Room, isLabelled: boolean): GridLayout {
  const laid = (growth: number): GridLayout =>
    layOut(blocks, (width) => tileSize(room, width, growth), spaceOf(room, isLabelled, 150));
  for (let growth = TILE_GROWTH_MAX; growth > 1; growth -= 0.1) {
    const layout = laid(growth);
    if (layout.height <= room.height) return layout;
  }
  return laid(1);
}

/** The largest cells with which all fit on the screen; the least size if none does. */
function cellLayout(blocks: readonly HandsetBlock[], room: Room, isLabelled: boolean): GridLayout {
  const least = Math.round((room.isTouch ? CELL_LEAST + 6 : CELL_LEAST) * room.scale);
  const most = Math.round(CELL_MOST * room.scale);
  const laid = (size: number): GridLayout =>
    layOut(blocks, () => ({ width: size, height: size, gap: size >= 16 ? 3 : 2 }), spaceOf(room, isLabelled, 96));
  // The height grows with the cells, except at changes of the columns, so a binary search is accurate enough.
  let [low, high] = [least, most];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (laid(middle).height <= room.height) low = middle;
    else high = middle - 1;
  }
  return laid(low);
}

function spaceOf({ width, scale }: Room, isLabelled: boolean, labelWidth: number): Space {
  return { width, label: isLabelled ? 32 * scale : 0, labelWidth: labelWidth * scale, blockGap: 16 * scale };
}

/** Cards and tiles are stretched so that they fill the width. */
function stretched(width: number, least: number, gap: number): number {
  const columns = Math.max(1, Math.floor((width + gap) / (least + gap)));
  return Math.floor((width - (columns - 1) * gap) / columns);
}

/** The most handsets that have large cards. */
const FEW = 12;

function cardSize({ width: roomWidth, scale }: Room, width: number, count: number): CellSize {
  const gap = 8 * scale;
  if (count <= FEW && roomWidth > NARROW * scale) {
    return { width: Math.min(stretched(width, 260 * scale, gap), 360 * scale), height: 148 * scale, gap };
  }
  return { width: Math.min(stretched(width, 168 * scale, gap), 320 * scale), height: 88 * scale, gap };
}

/** @param growth - factor of the smallest size */
function tileSize({ scale, isTouch }: Room, width: number, growth: number): CellSize {
  const gap = 4 * scale;
  return {
    width: stretched(width, 108 * growth * scale, gap),
    height: Math.round(tileHeight(isTouch) * growth * scale),
    gap,
  };
}

/** CSS pixels at scale 1, without growth. */
export function tileHeight(isTouch: boolean): number {
  return isTouch ? 48 : 44;
}
