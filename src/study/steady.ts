import type { Scenario } from "../scenario/index.js";

/**
 * Whether any part of a scenario is like any other: no story, and traffic at a constant rate from the beginning to the end. Then
 * a trial may be as short or as long as the search needs. Else the whole scenario is a trial.
 */
export function isSteady({ story, cast }: Scenario): boolean {
  const { lastsMs, traffic } = cast;
  const isConstant = ({ fromMs, untilMs, shape, arrivals }: (typeof traffic)[number]): boolean =>
    fromMs === 0 && untilMs >= lastsMs && shape.kind === "constant" && (arrivals === "poisson" || arrivals === "even");
  return story.length === 0 && traffic.length > 0 && traffic.every(isConstant);
}
