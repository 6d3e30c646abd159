import type { BoundaryData } from "../../wire/index.js";
import type { BoundaryPlace } from "../boundaries.js";
import { ENTRY_UNITS } from "./load-units.js";
import type { Resolver } from "./resolver.js";

/** Adds countries with all their parts; yields the units of work of each boundary. */
export function* loadBoundaries(countries: readonly BoundaryData[], resolver: Resolver): Generator<number, void> {
  for (const country of countries) yield* loadParts(country, { level: 0, parent: null }, resolver);
}

function* loadParts(boundary: BoundaryData, place: BoundaryPlace, resolver: Resolver): Generator<number, void> {
  resolver.account.boundaries.put(boundary, place);
  resolver.countAdded("boundaries");
  yield ENTRY_UNITS;
  const inside = { level: place.level + 1, parent: boundary.osmId };
  for (const part of boundary.parts) yield* loadParts(part, inside, resolver);
}
