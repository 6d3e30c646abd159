/** The recording's key for what became of the story's conditions, as JSON: a list of `StoryWait`. */
export const STORY_WAITS_KEY = "storyWaits";

/** A step of the story whose condition is watched, or was. Instants are virtual milliseconds. */
export interface StoryWait {
  /** Index of the step in the story's list. */
  readonly place: number;
  /** When the watch began. */
  readonly fromMs: number;
  /** When the condition held; absent: it has not. */
  readonly metMs?: number;
  /** When the time of `within` was over; absent: it is not, or the step has no limit. */
  readonly missedMs?: number;
}

/** The conditions that a recording knows of. */
export function storyWaitsOf(recording: { kept(key: string): string | undefined }): StoryWait[] {
  return JSON.parse(recording.kept(STORY_WAITS_KEY) ?? "[]") as StoryWait[];
}
