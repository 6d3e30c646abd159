import type { FleetPlace } from "../../protocol/index.js";

/** A point of the picture: `x` to the right, `y` down. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Projects places into a box of 1 by 1, north up; undefined where a group has none. Degrees are projected
 * equirectangularly at their middle latitude; a district across the 180th meridian stays together. Each axis fills the
 * box: as on a metro map, directions are right and distances are not.
 */
export function projectPlaces(places: readonly (FleetPlace | undefined)[]): (Point | undefined)[] {
  const first = places.find((place) => place !== undefined && "lon" in place);
  const middle = first !== undefined && "lon" in first ? first.lon : 0;
  const flat = places.map((place): Point | undefined => {
    if (place === undefined) return undefined;
    if ("x" in place) return { x: place.x, y: -place.y };
    // The nearest turn around the earth from the first place.
    return { x: place.lon - 360 * Math.round((place.lon - middle) / 360), y: -place.lat };
  });
  const known = flat.filter((point) => point !== undefined);
  const scaleX = scaleOf(known.map(({ x }) => x));
  const scaleY = scaleOf(known.map(({ y }) => y));
  return flat.map((point) => point && { x: scaleX(point.x), y: scaleY(point.y) });
}

/** Maps the smallest value to 0 and the largest to 1; one value alone to the middle. */
function scaleOf(values: readonly number[]): (value: number) => number {
  const min = Math.min(...values);
  const span = Math.max(...values) - min;
  return (value) => (span > 0 ? (value - min) / span : 0.5);
}
