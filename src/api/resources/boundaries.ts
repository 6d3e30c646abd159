import type { Geometry } from "../../account/index.js";
import type { ListedBoundary } from "../../store/index.js";
import { isTrue } from "../filters.js";
import { recordOf, listMethod, type Resource } from "../resource.js";
import { records, schema } from "../../schema/index.js";

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
    record: recordOf(records.boundaries, {
      osm_id: (row) => row.osmId,
      name: (row) => row.name,
      parent: (row) => (row.parent === null ? null : { osm_id: row.parent, name: row.parentName ?? "" }),
      level: (row) => row.level,
      aliases: (row) => JSON.parse(row.aliases),
      geometry: (row, _request, geometries) => geometries.get(row.osmId) ?? null,
    }),
    lookUp: (rows, request) =>
      isTrue(request.param("geometry") ?? "")
        ? request.context.tables.boundaries.geometriesOf(rows.map((row) => row.osmId))
        : new Map<string, Geometry>(),
  }),
};
