import type { FleetGroup, LabFacts } from "../../protocol/index.js";
import { linkTo, readRoute, replaceWith, type ViewName } from "./routes.js";

/** The view that a page opens with when its address names none: what its user came for. */
export function firstViewOf({ mode }: Pick<LabFacts, "mode">, groups: readonly Pick<FleetGroup, "place">[]): ViewName {
  if (mode === "run") return "run";
  return groups.some(({ place }) => place !== undefined) ? "district" : "fleet";
}

/** Completes an address without a view, once the lab is known. */
export function openFirstView(facts: LabFacts, groups: readonly FleetGroup[]): void {
  const { query } = readRoute(location.hash);
  if (/^#?\/?(\?|$)/.test(location.hash))
    replaceWith(linkTo(firstViewOf(facts, groups), [], Object.fromEntries(query)));
}
