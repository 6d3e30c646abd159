import type { Connection } from "../sqlite/connection.js";
import type { BoundaryRow, BoundaryTable, Geometry } from "../../account/index.js";
import { List } from "./list.js";
import { replaceInto, type SqlWriter } from "./sql-writer.js";

const columns = "boundary.osm_id AS osmId, boundary.name, boundary.level, boundary.parent, boundary.aliases";

/** A boundary as SQLite returns it: its aliases are JSON. */
type StoredBoundary = Omit<BoundaryRow, "aliases"> & { readonly aliases: string };

/** Administrative boundaries in SQLite. */
export function boundaryTable({ database, write }: SqlWriter): BoundaryTable {
  const all = database.prepare<[], StoredBoundary>(`SELECT ${columns} FROM boundary ORDER BY osm_id`);
  const geometries = database.prepare<[string], { osmId: string; geometry: string }>(
    `SELECT osm_id AS osmId, geometry FROM boundary
      WHERE osm_id IN (SELECT value FROM json_each(?)) AND geometry IS NOT NULL`,
  );
  const put = database.prepare(replaceInto("boundary", ["osm_id", "name", "level", "parent", "aliases", "geometry"]));
  return {
    all: () => all.all().map((row) => ({ ...row, aliases: JSON.parse(row.aliases) as string[] })),
    geometriesOf: (osmIds) =>
      new Map(
        geometries
          .all(JSON.stringify(osmIds))
          .map(({ osmId, geometry }) => [osmId, JSON.parse(geometry) as Geometry] as const),
      ),
    put: ({ osmId, name, level, parent, aliases }, geometry) =>
      write(
        put,
        osmId,
        name,
        level,
        parent,
        JSON.stringify(aliases),
        geometry === null ? null : JSON.stringify(geometry),
      ),
  };
}

/** A boundary as the API lists it. */
export interface ListedBoundary extends StoredBoundary {
  readonly parentName: string | null;
}

/** Boundaries in the order of their OSM ids. */
export function boundaryList(database: Connection): List<ListedBoundary> {
  return new List(database, {
    columns: `${columns}, parent.name AS parentName`,
    from: "boundary LEFT JOIN boundary AS parent ON parent.osm_id = boundary.parent",
    // Ordered by the OSM id as text: no other list is ordered by anything but time
    // (docs/reference/service-api.md#boundaries).
    orders: { osmId: { position: "boundary.osm_id", tie: "boundary.osm_id", rises: true } },
    filters: {},
    key: "boundary.osm_id",
  });
}
