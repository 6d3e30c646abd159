import { type Recording, STORY_WAITS_KEY, type StoryWait, storyWaitsOf } from "../store/index.js";

/** What has become of the story's conditions. A recording keeps it with each commit, for reports and for a restart. */
export class StoryWaits {
  readonly #waits = new Map<number, StoryWait>();
  #json: string | undefined;

  /** @param options - `isUsed`: the story has conditions; `isContinued`: the recording's world continues, and they too */
  constructor(
    recording: Pick<Recording, "kept" | "keepWithCommits">,
    { isUsed, isContinued }: { readonly isUsed: boolean; readonly isContinued: boolean },
  ) {
    if (!isUsed) return;
    for (const wait of isContinued ? storyWaitsOf(recording) : []) this.#waits.set(wait.place, wait);
    recording.keepWithCommits(STORY_WAITS_KEY, () => (this.#json ??= JSON.stringify([...this.#waits.values()])));
  }

  get(place: number): StoryWait | undefined {
    return this.#waits.get(place);
  }

  set(wait: StoryWait): void {
    this.#json = undefined;
    this.#waits.set(wait.place, wait);
  }
}
