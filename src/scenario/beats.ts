import type { Step, TimedBeat } from "./scenario.js";

/** The beats of a story, in order of time. */
export function beatsOf(story: readonly Step[]): TimedBeat[] {
  return story.flatMap(({ atMs, input }) =>
    input.to === "log" && input.beat !== undefined ? [{ ...input.beat, atMs }] : [],
  );
}
