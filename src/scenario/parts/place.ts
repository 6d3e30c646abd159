import * as z from "zod";
import type { HandsetGroup, Place } from "../../world/index.js";
import { formShape } from "../fields/fields.js";
import { readNumber } from "../fields/values/number.js";
import type { DocumentReader } from "../sheet/document-reader.js";
import { field, type Field, type JsonShape, keyed } from "../sheet/field.js";
import { isMap, type Path } from "../sheet/raw-value.js";

/** Where a group is on the picture of the district: on a plane, or on the earth. */
export type GroupPlace = NonNullable<HandsetGroup["onPicture"]>;

/** A number that may have a fraction. */
export function decimal(
  about: string,
  bounds: { readonly min: number; readonly max: number },
): Field<number, number | string> {
  const shape = z.union([z.number().min(bounds.min).max(bounds.max), formShape(String.raw`^[+-]?[0-9]+(\.[0-9]+)?$`)]);
  return field(shape, readNumber(bounds), about);
}

const latitude = decimal("Latitude in degrees, south negative.", { min: -90, max: 90 });
const longitude = decimal("Longitude in degrees, west negative.", { min: -180, max: 180 });
const earth = {
  lat: latitude.optional(),
  lon: longitude.optional(),
  latitude: decimal("As lat.", { min: -90, max: 90 }).optional(),
  longitude: decimal("As lon.", { min: -180, max: 180 }).optional(),
};

/** Farthest point of a plane from its origin, along each axis. */
const PLANE_MAX = 1e9;
const plane = {
  x: decimal("On a plane of any scale: to the east.", { min: -PLANE_MAX, max: PLANE_MAX }).optional(),
  y: decimal("On a plane of any scale: to the north.", { min: -PLANE_MAX, max: PLANE_MAX }).optional(),
};

/** Pairs of keys of which a place has one. */
const earthPairs = [
  ["lat", "lon"],
  ["latitude", "longitude"],
] as const;
const pairs = [...earthPairs, ["x", "y"]] as const;

/** The top-level key `place`. */
export const placeSchema = keyed(earth).meta({ oneOf: earthPairs.map(onlyPair) });

/** The key `place` of a group of handsets. */
export const groupPlaceSchema = keyed({ ...earth, ...plane }).meta({ oneOf: pairs.map(onlyPair) });

function onlyPair(pair: readonly [string, string]): JsonShape {
  const others = pairs.flat().filter((key) => !pair.includes(key));
  const own = Object.fromEntries(pair.map((key) => [key, {}]));
  const none = Object.fromEntries(others.map((key) => [key, false]));
  return { type: "object", properties: { ...own, ...none }, required: pair };
}

/** Reads the scenario's `place`; undefined: it is absent or invalid. */
export function readPlace(reader: DocumentReader, path: Path): Place | undefined {
  const place = readPair(reader, path, reader.at(path) === undefined ? undefined : reader.read(placeSchema, path));
  return place !== undefined && "lat" in place ? place : undefined;
}

/** Reads the `place` of a group; undefined: it is absent or invalid. */
export function readGroupPlace(reader: DocumentReader, path: Path): GroupPlace | undefined {
  return readPair(reader, path, reader.at(path) === undefined ? undefined : reader.read(groupPlaceSchema, path));
}

/** Whether the place that is written for a group is on the earth, where the sun shines. */
export function isOnEarth(reader: DocumentReader, path: Path): boolean {
  const written = reader.at(path);
  return written !== undefined && !(isMap(written) && ("x" in written || "y" in written));
}

/** Reports groups whose places cannot be on one picture: some on a plane, others on the earth. */
export function checkOneKind(reader: DocumentReader, groups: readonly string[]): void {
  const placed = groups
    .map((name) => ({ name, path: ["handsets", name, "place"] }))
    .filter(({ path }) => isMap(reader.at(path)));
  const [first] = placed;
  if (first === undefined) return;
  const isFirstOnEarth = isOnEarth(reader, first.path);
  const other = placed.find(({ path }) => isOnEarth(reader, path) !== isFirstOnEarth);
  if (other === undefined) return;
  const [here, there] = isFirstOnEarth ? ["x and y", "latitude and longitude"] : ["latitude and longitude", "x and y"];
  reader.reportProblem(other.path, {
    code: "not-together",
    message: `has ${here}, but that of ${first.name} has ${there}: one picture has one kind of place`,
    hint: isFirstOnEarth
      ? "write lat and lon"
      : "write x and y; the sun of a solar panel follows the scenario's 'place'",
  });
}

type Written = Partial<Record<(typeof pairs)[number][number], number>>;

function readPair(reader: DocumentReader, path: Path, given: Written | undefined): GroupPlace | undefined {
  if (given === undefined) return undefined;
  const [pair, second] = pairs.filter((keys) => keys.some((key) => given[key] !== undefined));
  if (pair === undefined) {
    reader.reportMissing(
      [...path, "lat"],
      `write { lat: -1.95, lon: 30.06 }${path.length > 1 ? ", or { x: 3, y: 4 }" : ""}`,
    );
    return undefined;
  }
  if (second !== undefined) {
    const [one, other] = [pair, second].map((keys) => keys.find((key) => given[key] !== undefined));
    reader.reportProblem([...path, other ?? ""], {
      code: "not-together",
      message: `cannot be beside '${one}': a place is on a plane or on the earth`,
      hint: `write ${pair.join(" and ")}`,
    });
    return undefined;
  }
  const missing = pair.find((key) => given[key] === undefined);
  if (missing !== undefined) {
    reader.reportMissing([...path, missing]);
    return undefined;
  }
  const [one, two] = [given[pair[0]] ?? 0, given[pair[1]] ?? 0];
  return pair[0] === "x" ? { x: one, y: two } : { lat: one, lon: two };
}
