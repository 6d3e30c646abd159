import type { Scenario } from "../scenario/index.js";

/**
 * The receivers of a scenario's events: `bundled`, `none` or URLs, each once, in the order of the groups. A group's
 * `receiver` takes precedence, except over `none`.
 *
 * @param receiver - the run's option; absent: the scenario's
 */
export function deliveryTargets({ cast, receiver: own }: Scenario, receiver?: string): readonly string[] {
  const shared = receiver ?? own?.url ?? "bundled";
  if (shared === "none") return ["none"];
  return [...new Set(cast.handsets.map((group) => group.receiver ?? shared))];
}
