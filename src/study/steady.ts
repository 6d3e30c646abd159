import type { Scenario } from "../scenario/index.js";

/**
 * Whether a scenario is stationary: no story, and traffic at a constant rate from begin to end. Then a trial can have
 * any length. Else the whole scenario is a trial.
 */
export function isSteady({ story, cast }: Scenario): boolean {
  const { lastsMs, traffic } = cast;
  const isConstant = ({ fromMs, untilMs, shape, arrivals }: (typeof traffic)[number]): boolean =>
    fromMs === 0 && untilMs >= lastsMs && shape.kind === "constant" && (arrivals === "poisson" || arrivals === "even");
  return story.length === 0 && traffic.length > 0 && traffic.every(isConstant);
}
