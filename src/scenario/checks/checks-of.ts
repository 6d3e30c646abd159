import type { CheckSpec, Scenario } from "../scenario.js";

/** All checks of a scenario, those of a recurring step once: those of the story, then those beside it. */
export function checksOf({ story, checks = [] }: Pick<Scenario, "story" | "checks">): CheckSpec[] {
  const ofStory = story.flatMap(({ input }) => (input.to === "check" ? [input.check] : []));
  return [...new Set([...ofStory, ...checks.map(({ check }) => check)])];
}
