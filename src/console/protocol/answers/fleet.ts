import { schema, type Schema, type ValueOf } from "../../../schema/index.js";
import { fleetColumns, type FleetColumns } from "../fleet.js";

const { anyOf, arrayOf, described, integer, number, objectOf, text } = schema;

/** A point of a plane of any scale, to the east and north, or of the earth. */
const fleetPlace = anyOf(objectOf({ x: number, y: number }), objectOf({ lat: number, lon: number }));
export type FleetPlace = ValueOf<typeof fleetPlace>;

/** A group of handsets: consecutive channels. */
export const fleetGroup = objectOf(
  {
    name: text,
    label: described("What pages call it: its display name, or `name`", text),
    firstChannel: described("Channel of its first handset, from 1", integer),
    firstIndex: described("Index of its first handset in the group: above 0 in a part of a fleet", integer),
    count: integer,
  },
  { place: described("Where pictures show it; all groups have the same kind of place, or none", fleetPlace) },
);
export type FleetGroup = ValueOf<typeof fleetGroup>;

/** A column for each number of a handset, in the order of channels. */
export const fleet = objectOf(
  Object.fromEntries(fleetColumns.map((column) => [column, arrayOf(integer)])),
) as Schema<FleetColumns>;

/** Channel, then a value for each of `fleetColumns`. */
export const fleetRow = arrayOf(integer);
export type FleetRow = ValueOf<typeof fleetRow>;
