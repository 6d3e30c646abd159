import type { RecordingReader } from "../store/index.js";

/** The key under which a run keeps its `StoryWords`, as JSON. */
export const STORY_KEY = "story";

/** A step of a story in words. */
export type StoryStep = readonly [atMs: number, text: string, kind: "cause" | "text"];

/** What a story does, in the order of time. */
export interface StoryOutline {
  readonly steps: readonly StoryStep[];
  /** Further texts, calls and messages. */
  readonly leftOut: number;
}

/** The story of a recording. Earlier versions kept a list of 100 steps at most, without their kinds. */
export function storyOutlineOf(recording: RecordingReader): StoryOutline {
  const kept = JSON.parse(recording.kept(STORY_KEY) ?? "[]") as
    StoryOutline | (readonly [atMs: number, text: string])[];
  if (!Array.isArray(kept)) return kept;
  return { steps: kept.map(([atMs, text]) => [atMs, text, "cause"]), leftOut: 0 };
}

/** The key under which a run keeps how many steps of its story make the receiver answer otherwise. */
export const RECEIVER_STEPS_KEY = "receiverSteps";

/** Steps of the story that make the receiver answer otherwise. A replay plays no story, and earlier versions did not keep it: 0. */
export function receiverStepCount(recording: RecordingReader): number {
  return Number(recording.kept(RECEIVER_STEPS_KEY) ?? 0);
}
