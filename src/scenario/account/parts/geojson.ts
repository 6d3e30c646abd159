import type { BoundaryData } from "../../../wire/index.js";

/** A GeoJSON MultiPolygon: polygons of rings of [longitude, latitude]. */
export interface MultiPolygon {
  readonly type: "MultiPolygon";
  readonly coordinates: readonly (readonly (readonly (readonly [number, number])[])[])[];
}

/**
 * Converts a Polygon or MultiPolygon to a MultiPolygon. RFC 7946: a ring has at least four positions, and the last
 * equals the first.
 *
 * @returns for an invalid geometry: a message that follows its name
 */
export function multiPolygonOf(geometry: unknown): MultiPolygon | string {
  const { type, coordinates } = isObject(geometry) ? geometry : {};
  if (type !== "Polygon" && type !== "MultiPolygon") return "must be a GeoJSON Polygon or MultiPolygon";
  const polygons: unknown = type === "Polygon" ? [coordinates] : coordinates;
  if (!isFilledList(polygons)) return "has no coordinates";
  for (const polygon of polygons) {
    if (!isFilledList(polygon)) return "has a polygon without rings";
    for (const ring of polygon) {
      const fault = faultOfRing(ring);
      if (fault !== undefined) return fault;
    }
  }
  return { type: "MultiPolygon", coordinates: polygons as MultiPolygon["coordinates"] };
}

function faultOfRing(ring: unknown): string | undefined {
  if (!isFilledList(ring) || ring.length < 4) return "has a ring of fewer than four positions";
  const stray = ring.find((position) => !isPosition(position));
  if (stray !== undefined) return "has a position that is not [longitude, latitude] in degrees";
  const [first, last] = [ring[0], ring.at(-1)] as [number[], number[]];
  return first[0] === last[0] && first[1] === last[1] ? undefined : "has a ring that does not end where it begins";
}

function isPosition(value: unknown): boolean {
  if (!Array.isArray(value) || value.length < 2) return false;
  const [longitude, latitude] = value as unknown[];
  return isWithin(longitude, 180) && isWithin(latitude, 90);
}

function isWithin(value: unknown, most: number): boolean {
  return typeof value === "number" && Math.abs(value) <= most;
}

/**
 * Reads boundaries from a GeoJSON FeatureCollection. Each feature's `properties` have `osm_id`, `name`, `parent` (the
 * `osm_id` of the boundary that contains it; null for a country), and optionally `aliases`.
 */
export function boundariesOfGeoJson(json: unknown): {
  readonly boundaries: BoundaryData[];
  readonly problems: readonly string[];
} {
  const features = isObject(json) ? json["features"] : undefined;
  if (!Array.isArray(features)) {
    return { boundaries: [], problems: ["must be a GeoJSON FeatureCollection, but has no list of features"] };
  }
  const problems: string[] = [];
  const drafts = (features as unknown[]).flatMap((feature, place) => {
    const draft = draftOf(feature);
    if (typeof draft !== "string") return [draft];
    problems.push(`features[${place}] ${draft}`);
    return [];
  });
  const byParent = new Map<string | null, Draft[]>();
  for (const draft of drafts) byParent.set(draft.parent, [...(byParent.get(draft.parent) ?? []), draft]);
  const ids = new Set(drafts.map(({ osmId }) => osmId));
  for (const { osmId, parent } of drafts) {
    if (parent !== null && !ids.has(parent)) problems.push(`'${osmId}' is part of '${parent}', which is not there`);
  }
  const levelFrom = (parent: string | null, level: number): BoundaryData[] =>
    (byParent.get(parent) ?? []).map(({ osmId, name, aliases, geometry }) => {
      const isWard = level === 3;
      if (isWard && byParent.has(osmId)) problems.push(`'${osmId}' is a ward, and cannot have parts`);
      return { osmId, name, aliases, geometry, parts: isWard ? [] : levelFrom(osmId, level + 1) };
    });
  const boundaries = levelFrom(null, 0);
  const known = countOf(boundaries);
  if (problems.length === 0 && known < drafts.length) problems.push("has boundaries that are parts of themselves");
  return { boundaries, problems };
}

function countOf(boundaries: readonly BoundaryData[]): number {
  return boundaries.reduce((sum, { parts }) => sum + 1 + countOf(parts), 0);
}

type Draft = Omit<BoundaryData, "parts"> & { readonly parent: string | null };

function draftOf(feature: unknown): Draft | string {
  const properties = isObject(feature) ? feature["properties"] : undefined;
  if (!isObject(feature) || !isObject(properties)) return "has no properties";
  const { osm_id: osmId, name, parent = null, aliases = [] } = properties;
  if (typeof osmId !== "string" || !/^\S{1,15}$/.test(osmId)) return "needs an osm_id of at most 15 characters";
  if (typeof name !== "string" || name.trim() === "") return "needs a name";
  if (parent !== null && typeof parent !== "string") return "must have the osm_id of another as parent, or null";
  if (!Array.isArray(aliases) || !aliases.every((alias) => typeof alias === "string"))
    return "must have texts as aliases";
  const geometry = (feature["geometry"] ?? null) === null ? null : multiPolygonOf(feature["geometry"]);
  if (typeof geometry === "string") return `${geometry} (geometry)`;
  return { osmId, name: name.trim(), parent, aliases, geometry };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isFilledList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0;
}
