/** The recording's key for the states of the story's conditions, as JSON: a list of `StoryWait`. */
export const STORY_WAITS_KEY = "storyWaits";

/** The state of a step's condition that is or was watched. Instants are virtual milliseconds. */
export interface StoryWait {
  /** Index of the step in the story's list. */
  readonly place: number;
  /** When the watch began. */
  readonly fromMs: number;
  /** When the condition was met; absent: it was not. */
  readonly metMs?: number;
  /** When the time of `within` was over; absent: it is not, or the step has no limit. */
  readonly missedMs?: number;
}

/** The states in a recording, one for each condition whose watch has begun. */
export function storyWaitsOf(recording: { kept(key: string): string | undefined }): StoryWait[] {
  return JSON.parse(recording.kept(STORY_WAITS_KEY) ?? "[]") as StoryWait[];
}
