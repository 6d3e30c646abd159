import type { Point } from "./places.js";

/** The space of the picture, CSS pixels. */
export interface PictureRoom {
  readonly width: number;
  readonly height: number;
}

/** A disc of the picture. */
export interface Disc extends Point {
  readonly radius: number;
}

/** Where everything is on the picture, CSS pixels. */
export interface PictureLayout {
  readonly room: PictureRoom;
  /** Service and receiver are above the villages, else at their right. */
  readonly isPortrait: boolean;
  /** In the order of the groups, all with the same radius. */
  readonly villages: readonly Disc[];
  readonly service: Disc;
  readonly receiver: Disc;
  /** The area of the villages. */
  readonly land: { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
}

/** Extent of a village with mast, people and label around its centre, in radii. */
export const footprint = { side: 1.3, above: 1.1, below: 1.66 } as const;

const WIDTH = 2 * footprint.side;
const HEIGHT = footprint.above + footprint.below;

/** Height of the label above service and receiver, with its mark. CSS pixels. */
const HUB_LABEL = 56;

const RADIUS_MAX = 150;
/** From this number of villages on, they stand in rows: moving them apart would take too long. */
const ROWS_FROM = 90;
/** The radius shrinks by this factor until all villages fit. */
const SHRINK = 0.94;
const ROUNDS = 50;

/**
 * Lays the picture out. Places decide where villages are; they are moved apart where they would overlap, and are as
 * large as the space allows. Villages without a place go where there is most room; if none has one, they stand in rows.
 *
 * @param places - in a box of 1 by 1; undefined: no place
 */
export function layoutPicture(places: readonly (Point | undefined)[], room: PictureRoom): PictureLayout {
  const { width, height } = room;
  const isPortrait = width < 700 || width < height * 0.9;
  const hub = isPortrait ? Math.min(46, width * 0.12) : Math.min(115, width * 0.062, height * 0.15);
  const top = isPortrait ? hub * 3.4 + 30 : 0;
  const land = isPortrait
    ? { left: 0, top, width, height: height - top }
    : { left: 0, top, width: width - hub * 5.4, height };
  const hubY = isPortrait ? hub + HUB_LABEL : height * 0.5;
  return {
    room,
    isPortrait,
    villages: placeVillages(places, land),
    service: { x: isPortrait ? width * 0.27 : land.width + hub * 1.25, y: hubY, radius: hub },
    receiver: { x: isPortrait ? width * 0.75 : width - hub * 1.3, y: hubY, radius: hub },
    land,
  };
}

function placeVillages(places: readonly (Point | undefined)[], land: PictureLayout["land"]): Disc[] {
  const count = places.length;
  if (count === 0) return [];
  if (count >= ROWS_FROM || places.every((place) => place === undefined)) return inRows(count, land);
  const points = withOthers(places);
  for (let radius = RADIUS_MAX; radius > 4; radius *= SHRINK) {
    const discs = movedApart(points, radius, land);
    if (discs !== undefined) return discs;
  }
  return inRows(count, land);
}

/** Puts each village without a place where it is farthest from all others, the edges included. */
function withOthers(places: readonly (Point | undefined)[]): Point[] {
  const known = places.filter((place) => place !== undefined);
  return places.map((place) => {
    if (place !== undefined) return place;
    let [best, most]: [Point, number] = [{ x: 0.5, y: 0.5 }, -1];
    for (let row = 0; row <= 8; row++) {
      for (let column = 0; column <= 12; column++) {
        const point = { x: column / 12, y: row / 8 };
        const nearest = Math.min(...known.map(({ x, y }) => Math.hypot(point.x - x, point.y - y)));
        if (nearest > most + 1e-9) [best, most] = [point, nearest];
      }
    }
    known.push(best);
    return best;
  });
}

/** Villages of a radius that do not overlap; undefined: they do not fit. */
function movedApart(points: readonly Point[], radius: number, land: PictureLayout["land"]): Disc[] | undefined {
  const [wide, high] = [WIDTH * radius, HEIGHT * radius];
  if (wide > land.width || high > land.height) return undefined;
  const minX = land.left + footprint.side * radius;
  const minY = land.top + footprint.above * radius;
  const [freeX, freeY] = [land.width - wide, land.height - high];
  const xs = points.map(({ x }) => minX + x * freeX);
  const ys = points.map(({ y }) => minY + y * freeY);
  for (let round = 0; round < ROUNDS; round++) {
    let isApart = true;
    for (let one = 0; one < points.length; one++) {
      for (let other = one + 1; other < points.length; other++) {
        const [dx, dy] = [(xs[other] ?? 0) - (xs[one] ?? 0), (ys[other] ?? 0) - (ys[one] ?? 0)];
        const [overX, overY] = [wide - Math.abs(dx), high - Math.abs(dy)];
        if (overX <= 0.01 || overY <= 0.01) continue;
        isApart = false;
        // Moves both apart along the axis with the smaller overlap. Villages at one point keep the order of the groups.
        const isAcross = overX / wide <= overY / high;
        const [list, gap, delta] = isAcross ? [xs, overX, dx] : [ys, overY, dy];
        const step = (delta < 0 ? -1 : 1) * (gap / 2 + 0.01);
        list[one] = (list[one] ?? 0) - step;
        list[other] = (list[other] ?? 0) + step;
      }
    }
    for (const [index] of points.entries()) {
      xs[index] = Math.min(minX + freeX, Math.max(minX, xs[index] ?? 0));
      ys[index] = Math.min(minY + freeY, Math.max(minY, ys[index] ?? 0));
    }
    if (isApart) return points.map((_, index) => ({ x: xs[index] ?? 0, y: ys[index] ?? 0, radius }));
  }
  return undefined;
}

function inRows(count: number, { left, top, width, height }: PictureLayout["land"]): Disc[] {
  let best = { radius: 0, columns: 1 };
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns);
    const radius = Math.min(RADIUS_MAX, width / columns / WIDTH, height / rows / HEIGHT);
    if (radius > best.radius) best = { radius, columns };
  }
  const { radius, columns } = best;
  const rows = Math.ceil(count / columns);
  return Array.from({ length: count }, (_, index) => {
    const row = Math.floor(index / columns);
    // The last row may have fewer.
    const inRow = row === rows - 1 ? count - row * columns : columns;
    const slot = height / rows;
    return {
      x: left + (width / inRow) * ((index % columns) + 0.5),
      y: top + slot * row + (slot - HEIGHT * radius) / 2 + footprint.above * radius,
      radius,
    };
  });
}
