import type { FlowProblem } from "../account/index.js";

/** Problems of flows that the result names; a survey may meet hundreds. */
const SHOWN_MAX = 5;

/** Warnings for the result about what flows, campaigns and schedules could not do, the most frequent first. */
export function flowWarnings(problems: readonly FlowProblem[]): string[] {
  const sorted = problems.toSorted((a, b) => b.times - a.times);
  const shown = sorted.length > SHOWN_MAX ? sorted.slice(0, SHOWN_MAX - 1) : sorted;
  const others = sorted.length - shown.length;
  const texts = shown.map(({ text, times, people }) => `${text}${oftenText(times, people)}`);
  return others === 0 ? texts : [...texts, `${others} more problems of flows: table note of the recording`];
}

function oftenText(times: number, people: number): string {
  if (times === 1) return "";
  if (people === 0) return ` (${times} times)`;
  return ` (${times} times, ${people} ${people === 1 ? "person" : "people"})`;
}
