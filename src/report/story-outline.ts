import type { RecordingReader } from "../store/index.js";

/** The recording's key for the `StoryOutline`, as JSON. */
export const STORY_KEY = "story";

/** A step of a story as a sentence. */
export type StoryStep = readonly [atMs: number, text: string, kind: "cause" | "text"];

/** The steps of a story for display, in order of time. */
export interface StoryOutline {
  readonly steps: readonly StoryStep[];
  /** Texts, calls and messages of the story beyond those in `steps`. */
  readonly leftOut: number;
}

/** The outline that a recording stores; without steps for a replay. */
export function storyOutlineOf(recording: RecordingReader): StoryOutline {
  const kept = recording.kept(STORY_KEY);
  return kept === undefined ? { steps: [], leftOut: 0 } : (JSON.parse(kept) as StoryOutline);
}

/** The recording's key for the number of story steps that change the receiver's answers. */
export const RECEIVER_STEPS_KEY = "receiverSteps";

/** Number of story steps that change the receiver's answers; 0 for a replay. */
export function receiverStepCount(recording: RecordingReader): number {
  return Number(recording.kept(RECEIVER_STEPS_KEY) ?? 0);
}
