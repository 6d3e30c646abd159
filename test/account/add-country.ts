import { type Boundaries, boundariesIn } from "../../src/account/boundaries.js";
import type { BoundaryData } from "../../src/wire/index.js";

/** Adds a country with all its parts. */
export function addCountry(boundaries: Boundaries, country: BoundaryData): void {
  for (const [boundary, place] of boundariesIn(country)) boundaries.put(boundary, place);
}
