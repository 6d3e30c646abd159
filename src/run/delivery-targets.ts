import type { Scenario } from "../scenario/index.js";

/**
 * Where the events of a scenario go: `bundled`, `none` or a URL, each once, in the order of the groups. A group with a
 * receiver of its own keeps it unless the run has none.
 *
 * @param receiver - of the run's options; absent: the scenario's
 */
export function deliveryTargets({ cast, receiver: own }: Scenario, receiver?: string): readonly string[] {
  const shared = receiver ?? own?.url ?? "bundled";
  if (shared === "none") return ["none"];
  return [...new Set(cast.handsets.map((group) => group.receiver ?? shared))];
}
