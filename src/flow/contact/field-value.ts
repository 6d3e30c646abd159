import { ownValue } from "../../wire/index.js";
import {
  Decimal,
  type Environment,
  findLocations,
  locationLevels,
  parseDateTime,
  toNumber,
} from "../../expression/index.js";
import type { SessionContact, FieldValue } from "../contact-state.js";
import type { Assets, FieldAsset } from "../host.js";

/** What a field's value depends on besides its text. */
export interface FieldContext {
  readonly environment: Environment;
  readonly assets: Assets;
  readonly contact: SessionContact;
}

/**
 * A field's text with its other forms: docs/reference/flows.md#dates-and-field-values. A district is searched in the
 * contact's state, a ward in its district.
 */
export function parseFieldValue(text: string, field: FieldAsset, context: FieldContext): FieldValue {
  const { environment } = context;
  const number = toNumber(environment, text);
  const datetime = parseDateTime(environment, text, { fillTime: true });
  const path = locationPath(text, field, context);
  return {
    text,
    datetime: datetime?.toString(),
    ...(number instanceof Decimal && { number: number.toFixed() }),
    ...(path !== undefined && levelsOf(path)),
  };
}

function locationPath(
  text: string,
  { type }: FieldAsset,
  { environment, assets, contact }: FieldContext,
): string | undefined {
  const { locations } = environment;
  if (locations === undefined) return undefined;
  if (text.includes(">")) return locations.find(locationLevels.state, text)[0];
  if (type === "state") return findLocations(locations, locationLevels.state, text)[0];
  if (type !== "district" && type !== "ward") return undefined;
  const around = type === "district" ? "state" : "district";
  const outer = assets.fields().find((field) => field.type === around);
  const parent = outer === undefined ? undefined : ownValue(contact.fields, outer.key)?.[around];
  return parent === undefined ? undefined : findLocations(locations, locationLevels[type], text, parent)[0];
}

/** A path `Country > State > District > Ward` by its levels. */
function levelsOf(path: string): Partial<Pick<FieldValue, "state" | "district" | "ward">> {
  const names = path.split(" > ");
  const to = (count: number): string => names.slice(0, count).join(" > ");
  return {
    ...(names.length >= 2 && { state: to(2) }),
    ...(names.length >= 3 && { district: to(3) }),
    ...(names.length >= 4 && { ward: to(4) }),
  };
}
