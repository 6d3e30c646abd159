import type { Leg } from "./dot-flow.js";
import type { Disc, PictureLayout } from "./layout.js";
import type { Point } from "./places.js";

/** Radius of a village in the units in which it is drawn. */
export const UNIT = 60;

/** Most phones that are drawn one by one. */
export const PHONES_DRAWN = 16;

/** Where the people of a village stand, in its units. */
export const peopleSpots: readonly Point[] = [
  { x: -69, y: 14 },
  { x: 69, y: 24 },
  { x: -60, y: 37 },
  { x: 58, y: 44 },
];

/** Where a phone of a village lies, in its units: two rows of eight. Further phones share the places. */
export function phoneSpot(index: number, count: number): Point {
  const shown = Math.min(count, PHONES_DRAWN);
  const perRow = shown <= 8 ? shown : Math.ceil(shown / 2);
  const nth = index % shown;
  const row = Math.floor(nth / perRow);
  const inRow = row === 0 ? perRow : shown - perRow;
  return { x: ((nth % perRow) - (inRow - 1) / 2) * 11.5, y: (shown <= 8 ? 31 : 24) + row * 17 };
}

/** Smallest width of a phone that can be hit, CSS pixels. */
const PHONE_WIDTH_MIN = 9;

/** Width and height of a phone's place, in a village's units. */
const PHONE_PLACE = { width: 11.5, height: 17 };

/** The phone of a village at a point of the picture; undefined: there is none, or they are too small to be hit. */
export function phoneAt({ x, y, radius }: Disc, count: number, point: Point): number | undefined {
  const scale = radius / UNIT;
  if (count > PHONES_DRAWN || PHONE_PLACE.width * scale < PHONE_WIDTH_MIN) return undefined;
  const [wantedX, wantedY] = [(point.x - x) / scale, (point.y - y) / scale];
  const nth = Array.from({ length: count }, (_, index) => phoneSpot(index, count)).findIndex(
    (spot) =>
      2 * Math.abs(spot.x - wantedX) <= PHONE_PLACE.width && 2 * Math.abs(spot.y - wantedY) <= PHONE_PLACE.height,
  );
  return nth === -1 ? undefined : nth;
}

/** A curve: start, control point, end. */
export type Curve = readonly [Point, Point, Point];

/** The top of a village's mast, in its units. */
const mastTop: Point = { x: 43, y: -36 };

/** Part of the way between phone and service on which a text is still in the village. */
const TO_MAST = 0.22;

/** The way between a village and the service. It begins at the village's mast. */
export function wayOf({ service, isPortrait }: PictureLayout, village: Disc): Curve {
  const from = inVillage(village, mastTop);
  const to = isPortrait
    ? { x: service.x, y: service.y + service.radius * 0.7 }
    : { x: service.x - service.radius * 0.75, y: service.y };
  const bend = isPortrait
    ? { x: from.x + (to.x - from.x) * 0.2, y: from.y + (to.y - from.y) * 0.6 }
    : { x: from.x + (to.x - from.x) * 0.62, y: from.y + (to.y - from.y) * 0.12 };
  return [from, bend, to];
}

/** The way between service and receiver. */
export function trunkOf({ service, receiver }: PictureLayout): Curve {
  const from = { x: service.x + service.radius * 0.75, y: service.y };
  const to = { x: receiver.x - receiver.radius * 0.85, y: receiver.y };
  return [from, { x: (from.x + to.x) / 2, y: from.y }, to];
}

/** A point of a curve. @param part - 0..1 */
export function onCurve([from, bend, to]: Curve, part: number): Point {
  const rest = 1 - part;
  const [one, two, three] = [rest * rest, 2 * rest * part, part * part];
  return { x: one * from.x + two * bend.x + three * to.x, y: one * from.y + two * bend.y + three * to.y };
}

/** A point of a village, from its units. */
export function inVillage({ x, y, radius }: Disc, spot: Point): Point {
  const scale = radius / UNIT;
  return { x: x + spot.x * scale, y: y + spot.y * scale };
}

/** The place of a person: always the same for a number. */
export function spotOfPerson(phone: string): Point {
  let hash = 7;
  for (let at = 0; at < phone.length; at++) hash = (hash * 31 + phone.charCodeAt(at)) | 0;
  return peopleSpots[Math.abs(hash) % peopleSpots.length] ?? { x: 0, y: 0 };
}

/** Where a flight is on the picture. @param part - 0..1 in the direction of a text */
export function pointOnLeg(
  leg: Leg,
  part: number,
  at: {
    readonly village: Disc;
    readonly way: Curve;
    readonly trunk: Curve;
    readonly person: Point;
    readonly phone: Point;
  },
): Point {
  if (leg === "post") return onCurve(at.trunk, part);
  const phone = inVillage(at.village, at.phone);
  if (leg === "far") {
    const [mast] = at.way;
    if (part >= TO_MAST) return onCurve(at.way, (part - TO_MAST) / (1 - TO_MAST));
    const near = part / TO_MAST;
    return { x: phone.x + (mast.x - phone.x) * near, y: phone.y + (mast.y - phone.y) * near };
  }
  const person = inVillage(at.village, at.person);
  const lift = Math.sin(part * Math.PI) * at.village.radius * 0.28;
  return { x: person.x + (phone.x - person.x) * part, y: person.y + (phone.y - person.y) * part - lift };
}
