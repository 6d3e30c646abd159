import type { FlowProblem } from "../account/index.js";

/** Problems of flows that the result names; a survey may meet hundreds. */
const SHOWN_MAX = 5;

/**
 * Warnings for the result about what flows, campaigns and schedules could not do.
 *
 * @param problems - in the order of their first appearance, so a cause comes before its effects
 */
export function flowWarnings(problems: readonly FlowProblem[]): string[] {
  const shown = problems.length > SHOWN_MAX ? problems.slice(0, SHOWN_MAX - 1) : problems;
  const others = problems.length - shown.length;
  const texts = shown.map((problem) => `${problem.text}${oftenText(problem)}`);
  return others === 0 ? texts : [...texts, `${others} more problems of flows: table note of the recording`];
}

function oftenText({ times, people, hasMorePeople }: FlowProblem): string {
  if (times === 1) return "";
  if (people === 0) return ` (${times} times)`;
  return ` (${times} times, ${hasMorePeople ? "at least " : ""}${people} ${people === 1 ? "person" : "people"})`;
}
