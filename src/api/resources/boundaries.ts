import type { Geometry } from "../../account/index.js";
import type { ListedBoundary } from "../../store/index.js";
import { isTrue } from "../filters.js";
import { column, listMethod, type Resource } from "../resource.js";
import { schema } from "../../schema/index.js";

const osmId = { type: "string", maxLength: 15, examples: ["192798"] };
const name = { type: "string", examples: ["Mombasa"] };

/** Administrative boundaries (docs/reference/service-api.md#boundaries). */
export const boundaries: Resource = {
  name: "boundaries",
  about: "The administrative boundaries of the account's country.",
  scope: "others",
  forSurveyors: true,
  list: listMethod<ListedBoundary, ReadonlyMap<string, Geometry>>({
    about: "Lists the account's country and its states, districts and wards, by OSM id as text.",
    list: ({ context }) => context.lists.boundaries,
    order: "osmId",
    filters: {
      geometry: {
        about: "Whether the outlines are wanted, too; they may be large",
        schema: schema.boolean,
        parse: () => "all",
      },
    },
    fixedFilters: ({ context }) => (context.organisation.country === null ? "none" : []),
    record: {
      osm_id: column(osmId, (row) => row.osmId),
      name: column(name, (row) => row.name),
      parent: column(schema.nullable(schema.objectOf({ osm_id: osmId, name: schema.text })), (row) =>
        row.parent === null ? null : { osm_id: row.parent, name: row.parentName ?? "" },
      ),
      level: column({ type: "integer", enum: [0, 1, 2, 3] }, (row) => row.level),
      aliases: column(schema.arrayOf(schema.text), (row) => JSON.parse(row.aliases)),
      geometry: column(
        schema.nullable({
          ...schema.objectOf({ type: schema.text, coordinates: { type: "array" } }),
          description: "GeoJSON; null unless it was asked for",
        }),
        (row, _request, geometries) => geometries.get(row.osmId) ?? null,
      ),
    },
    lookUp: (rows, request) =>
      isTrue(request.param("geometry") ?? "")
        ? request.context.tables.boundaries.geometriesOf(rows.map((row) => row.osmId))
        : new Map<string, Geometry>(),
  }),
};
