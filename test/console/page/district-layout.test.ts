import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { footprint, layoutPicture, type PictureLayout } from "../../../src/console/page/district/layout.js";
import { inVillage, phoneAt, phoneSpot } from "../../../src/console/page/district/ways.js";
import { type Point, projectPlaces } from "../../../src/console/page/district/places.js";

const rooms = fc.record({ width: fc.integer({ min: 300, max: 1900 }), height: fc.integer({ min: 400, max: 1000 }) });
const coordinate = fc.double({ min: -1e6, max: 1e6, noNaN: true });
const planePlaces = fc.array(fc.option(fc.record({ x: coordinate, y: coordinate }), { nil: undefined }), {
  minLength: 1,
  maxLength: 30,
});

/** Whether two villages with their labels cover a common area. */
function overlap(one: Point, other: Point, radius: number): boolean {
  const [wide, high] = [2 * footprint.side * radius, (footprint.above + footprint.below) * radius];
  return Math.abs(one.x - other.x) < wide - 0.5 && Math.abs(one.y - other.y) < high - 0.5;
}

function expectSound({ villages, land }: PictureLayout): void {
  for (const [index, { x, y, radius }] of villages.entries()) {
    expect(radius).toBeGreaterThan(2);
    expect(x - footprint.side * radius).toBeGreaterThan(land.left - 1);
    expect(x + footprint.side * radius).toBeLessThan(land.left + land.width + 1);
    expect(y - footprint.above * radius).toBeGreaterThan(land.top - 1);
    expect(y + footprint.below * radius).toBeLessThan(land.top + land.height + 1);
    for (const other of villages.slice(index + 1)) expect(overlap({ x, y }, other, radius)).toBe(false);
  }
}

describe("the layout of the picture", () => {
  it("keeps villages apart and on the land, whatever their places are", () => {
    fc.assert(
      fc.property(planePlaces, rooms, (places, room) => {
        const layout = layoutPicture(projectPlaces(places), room);
        expect(layout.villages).toHaveLength(places.length);
        expectSound(layout);
      }),
      { numRuns: 60 },
    );
  });

  it("does not depend on the scale and the origin of the plane", () => {
    const exact = fc.integer({ min: -1000, max: 1000 });
    fc.assert(
      fc.property(
        fc.array(fc.record({ x: exact, y: exact }), { minLength: 1, maxLength: 12 }),
        rooms,
        (places, room) => {
          const moved = places.map(({ x, y }) => ({ x: 8 * x + 64, y: 8 * y - 512 }));
          expect(layoutPicture(projectPlaces(moved), room)).toEqual(layoutPicture(projectPlaces(places), room));
        },
      ),
      { numRuns: 40 },
    );
  });

  it("has the west at the left and the north at the top, on a plane and on the earth", () => {
    const plane = projectPlaces([{ x: 0, y: 0 }, { x: 9, y: 5 }, undefined]);
    expect(plane).toEqual([{ x: 0, y: 1 }, { x: 1, y: 0 }, undefined]);
    const earth = projectPlaces([
      { lat: -2, lon: 30 },
      { lat: -1, lon: 31 },
    ]);
    expect(earth).toEqual([
      { x: 0, y: 1 },
      { x: 1, y: 0 },
    ]);
  });

  it("keeps a district across the 180th meridian together", () => {
    const points = projectPlaces([
      { lat: -17, lon: 179 },
      { lat: -18, lon: -179 },
      { lat: -17, lon: 178 },
    ]);
    expect(points.map((point) => point?.x)).toEqual([1 / 3, 1, 0]);
  });

  it("puts groups without a place where there is room, and all of them in rows when none has one", () => {
    const room = { width: 1200, height: 700 };
    const [first, second] = layoutPicture(projectPlaces([{ x: 3, y: 3 }, undefined]), room).villages;
    expect(Math.hypot((first?.x ?? 0) - (second?.x ?? 0), (first?.y ?? 0) - (second?.y ?? 0))).toBeGreaterThan(200);
    const rows = layoutPicture([undefined, undefined, undefined, undefined, undefined, undefined], room);
    expectSound(rows);
    expect(new Set(rows.villages.map(({ y }) => Math.round(y))).size).toBe(2);
    expectSound(
      layoutPicture(
        Array.from({ length: 200 }, () => undefined),
        room,
      ),
    );
  });

  it("has service and receiver at the right of wide pictures and above narrow ones", () => {
    const wide = layoutPicture([{ x: 0.5, y: 0.5 }], { width: 1100, height: 600 });
    const narrow = layoutPicture([{ x: 0.5, y: 0.5 }], { width: 366, height: 600 });
    expect(wide.service.x).toBeGreaterThan(wide.land.width);
    expect(wide.receiver.x + wide.receiver.radius).toBeLessThanOrEqual(1100);
    expect(narrow.service.y).toBeLessThan(narrow.land.top);
    expect(narrow.receiver.x + narrow.receiver.radius).toBeLessThanOrEqual(366);
  });
});

it("finds the phone at a point of a village, unless phones are too small to be hit or are drawn as a bar", () => {
  const disc = { x: 300, y: 200, radius: 90 };
  for (const count of [1, 8, 11, 16]) {
    for (let nth = 0; nth < count; nth++) {
      expect(phoneAt(disc, count, inVillage(disc, phoneSpot(nth, count)))).toBe(nth);
    }
  }
  expect(phoneAt(disc, 8, inVillage(disc, { x: 0, y: 0 }))).toBeUndefined();
  const small = { ...disc, radius: 40 };
  expect(phoneAt(small, 8, inVillage(small, phoneSpot(3, 8)))).toBeUndefined();
  expect(phoneAt(disc, 17, inVillage(disc, phoneSpot(3, 16)))).toBeUndefined();
});
