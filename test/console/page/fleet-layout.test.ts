import { expect, it } from "vitest";
import type { HandsetBlock } from "../../../src/console/page/fleet/arrangement.js";
import { boxOf, eachIn, type GridLayout, layOut, movedBy, positionAt } from "../../../src/console/page/fleet/layout.js";
import { chooseLevel, type Room } from "../../../src/console/page/fleet/level.js";

function blocksOf(...counts: number[]): HandsetBlock[] {
  let start = 0;
  return counts.map((count, index) => {
    const block = { key: String(index), label: `g${index}`, start, count };
    start += count;
    return block;
  });
}

const cell = { width: 10, height: 10, gap: 2 };

function laid(width: number, ...counts: number[]): GridLayout {
  return layOut(blocksOf(...counts), () => cell, { width, label: 20, labelWidth: 40, blockGap: 8 });
}

it("every cell has a place of its own inside, and a point in it finds it", () => {
  for (const [width, ...counts] of [
    [118, 25],
    [118, 7, 1, 90, 12],
    [34, 3, 5],
    [500, 60, 60, 60, 1000],
  ] as const) {
    const layout = laid(width, ...counts);
    const count = counts.reduce((sum, one) => sum + one, 0);
    const taken = new Set<string>();
    const box = { left: 0, top: 0 };
    for (let position = 0; position < count; position++) {
      expect(boxOf(layout, position, box)).toBe(true);
      expect(box.left).toBeGreaterThanOrEqual(0);
      expect(box.left + cell.width).toBeLessThanOrEqual(width);
      expect(box.top + cell.height).toBeLessThanOrEqual(layout.height);
      expect(positionAt(layout, box.left + 5, box.top + 5)).toBe(position);
      taken.add(`${box.left},${box.top}`);
    }
    expect(taken.size).toBe(count);
    expect(boxOf(layout, count, box)).toBe(false);
    const seen: number[] = [];
    eachIn(layout, { left: 0, top: 0, right: width, bottom: layout.height }, (position) => seen.push(position));
    expect(seen).toEqual(Array.from({ length: count }, (_, position) => position));
  }
});

it("a rectangle has the cells that it touches", () => {
  // Ten cells in a row.
  const layout = layOut(blocksOf(25), () => cell, { width: 118, label: 0, labelWidth: 40, blockGap: 8 });
  const found: number[] = [];
  eachIn(layout, { left: 13, top: 5, right: 30, bottom: 14 }, (position) => found.push(position));
  expect(found).toEqual([1, 2, 11, 12]);
});

it("arrows move by cells and rows, over the edges of blocks, and stop at the ends", () => {
  // Rows of ten: positions 0..24, then a block of 5 below.
  const layout = layOut(blocksOf(25, 5), () => cell, { width: 118, label: 20, labelWidth: 118, blockGap: 8 });
  const move = (from: number, ...keys: string[]): number =>
    keys.reduce((at, key) => movedBy(layout, at, key, 60), from);
  expect(move(0, "ArrowRight", "ArrowDown")).toBe(11);
  expect(move(0, "ArrowLeft", "ArrowUp")).toBe(0);
  expect(move(18, "ArrowDown")).toBe(24);
  expect(move(21, "ArrowDown")).toBe(26);
  expect(move(26, "ArrowUp")).toBe(21);
  expect(move(24, "ArrowRight")).toBe(25);
  expect(move(3, "End")).toBe(29);
  expect(move(29, "ArrowDown", "ArrowRight")).toBe(29);
  expect(move(29, "Home")).toBe(0);
  expect(move(2, "PageDown")).toBe(27);
  expect(move(27, "PageUp")).toBe(2);
});

it("every cell is reached from every other by arrows, whatever the shelves", () => {
  const layout = laid(118, 7, 1, 90, 12, 3);
  const seen = new Set([0]);
  const queue = [0];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for (const key of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]) {
      const next = movedBy(layout, at, key, 60);
      if (seen.has(next)) continue;
      seen.add(next);
      queue.push(next);
    }
  }
  expect(seen.size).toBe(113);
});

it("details follow count and space", () => {
  const desktop: Room = { width: 1232, height: 500, scale: 1, isTouch: false };
  const phone: Room = { width: 358, height: 500, scale: 1, isTouch: true };
  const level = (count: number, room: Room, wanted?: "cards" | "tiles" | "cells"): string =>
    chooseLevel(blocksOf(count), room, wanted).level;
  expect([1, 12, 40, 60, 61, 200, 600, 601, 10_000].map((count) => level(count, desktop))).toEqual([
    "cards",
    "cards",
    "cards",
    "tiles",
    "tiles",
    "tiles",
    "cells",
    "cells",
    "cells",
  ]);
  expect([1, 60, 600].map((count) => level(count, phone))).toEqual(["cards", "cards", "cells"]);
  const low: Room = { ...phone, height: 400 };
  expect([1, 60].map((count) => level(count, { ...low, width: 200 }))).toEqual(["cards", "tiles"]);
  expect([level(5, desktop, "cells"), level(5000, desktop, "tiles"), level(5000, desktop, "cards")]).toEqual([
    "cells",
    "tiles",
    "cells",
  ]);
});

it("cells are as large as fits on the screen, and not too small", () => {
  const sizeOf = (count: number, room: Room): number => chooseLevel(blocksOf(count), room, "cells").layout.cell.width;
  const projector: Room = { width: 1860, height: 820, scale: 1.125, isTouch: false };
  expect(sizeOf(20, projector)).toBe(32);
  expect(sizeOf(10_000, projector)).toBe(11);
  expect(chooseLevel(blocksOf(10_000), projector, undefined).layout.height).toBeLessThan(1200);
  expect(sizeOf(10_000, { width: 358, height: 500, scale: 1, isTouch: true })).toBe(16);
});

it("the villages of the demo are on one screen, as tiles on a laptop and as cards on a projector", () => {
  const villages = blocksOf(4, 6, 8, 6, 6, 6);
  const laptop: Room = { width: 1152, height: 380, scale: 1, isTouch: false };
  const projector: Room = { width: 1770, height: 690, scale: 1.125, isTouch: false };
  const onLaptop = chooseLevel(villages, laptop, undefined);
  expect(onLaptop.level).toBe("tiles");
  expect(onLaptop.layout.height).toBeLessThanOrEqual(laptop.height);
  const projected = chooseLevel(villages, projector, undefined);
  expect(projected.level).toBe("cards");
  // Blocks stand beside each other, and cards fill the width of theirs.
  expect(projected.layout.blocks[1]?.top).toBe(0);
  const { cell, blocks } = projected.layout;
  expect((blocks[1]?.width ?? 0) - 4 * cell.width - 3 * cell.gap).toBeLessThan(8);
});

it("tiles grow while all fit on the screen", () => {
  const room: Room = { width: 1152, height: 500, scale: 1, isTouch: false };
  const heightOf = (count: number): number => chooseLevel(blocksOf(count), room, "tiles").layout.cell.height;
  expect(heightOf(20)).toBe(70);
  expect(heightOf(500)).toBe(44);
});
